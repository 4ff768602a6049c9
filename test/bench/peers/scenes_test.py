#!/usr/bin/env python3
"""The scenes of ./dev bench peers, without its engines: scenes_test.py PEQUOD

Each is one that Pequod takes for the same as the peers' file says, nothing starts inside another, and the table of
docs/performance.md is that of the figures kept beside it."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ET

PEERS = pathlib.Path(__file__).resolve().parents[3] / "bench/peers"
sys.path.insert(0, str(PEERS))

import robot  # noqa: E402  from PEERS
import table  # noqa: E402
from rows import ROWS  # noqa: E402
from scenes import SCENES, write_scene  # noqa: E402

PEQUOD = sys.argv.pop(1)


def check(folder, name):
    """The scene, and what Pequod says of its own file."""
    file, scene = write_scene(folder, name)
    done = subprocess.run([PEQUOD, "check", file.with_suffix(".yaml"), "--json"], capture_output=True, text=True)
    return scene, json.loads(done.stdout)


class Scenes(unittest.TestCase):
    def test_pequod_reads_the_same_scene(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in SCENES:
                with self.subTest(name):
                    scene, told = check(pathlib.Path(folder), name)
                    self.assertEqual((told["errors"], told["warnings"]), (0, 0), told["diagnostics"])
                    meaning = told["meaning"]
                    bodies = len(meaning["bodies"]["free"]) + sum(r["moving_links"] for r in meaning.get("robots", []))
                    self.assertEqual(bodies, len(scene["bodies"]))
                    self.assertEqual(len(meaning["bodies"]["fixed"]), len(scene["planes"]))
                    mass = sum(body["mass"] for body in scene["bodies"])
                    self.assertAlmostEqual(meaning["mass"]["total_kg"] / mass, 1, delta=1e-12)
                    if not scene["planes"]:
                        continue  # in flight nothing can touch
                    # Scenes at rest start in touch, to rounding.
                    for pair in meaning["start"]["touching"] + meaning["start"]["open"]:
                        self.assertGreater(pair["gap_m"], -1e-12, pair)

    def test_each_scene_has_rows_of_programs_that_exist(self):
        self.assertEqual(list(ROWS), list(SCENES))
        for rows in ROWS.values():
            self.assertEqual(rows[0][1], "pequod")
            self.assertEqual(len({name for name, _, _ in rows}), len(rows))
            for _, program, _ in rows:
                self.assertTrue((PEERS / f"{program}.cpp").exists())

    def test_the_robot_weighs_what_its_file_says_and_stands_on_four_feet(self):
        links = robot.make_robot(trots=False)["bodies"]
        masses = [float(mass.get("value")) for mass in ET.parse(robot.URDF).getroot().iter("mass")]
        self.assertAlmostEqual(sum(link["mass"] for link in links), sum(masses), delta=1e-12)
        feet = [link for link in links if link["shape"]]
        self.assertEqual(len(feet), 4)
        for foot in feet:
            centre = [p + o for p, o in zip(foot["position"], robot.turn(foot["orientation"], foot["shape_position"]))]
            self.assertAlmostEqual(centre[2], foot["shape"]["sphere"], delta=1e-15)
            self.assertAlmostEqual(math.hypot(*foot["orientation"]), 1, delta=1e-15)


class Table(unittest.TestCase):
    def test_the_page_has_the_table_of_the_figures(self):
        page = table.PAGE.read_text()
        self.assertEqual(table.written(page, json.loads(table.KEPT.read_text())), page)

    def test_numbers_are_short(self):
        self.assertEqual([table.rate(x) for x in (None, 81.63, 1234.0, 104400.0)], ["–", "81.6", "1.23 k", "104 k"])
        self.assertEqual([table.digits(x) for x in (None, 0, 0.00321, 12345.6)], ["–", "0", "0.0032", "12346"])


if __name__ == "__main__":
    unittest.main()
