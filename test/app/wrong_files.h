// Meshes, height fields and tables of efforts that are wrong, and the one error that each ends in.
#pragma once

#include "test/app/wrong_input.h"

namespace pequod::test {

inline const WrongInputs& wrong_files() {
  static const WrongInputs inputs{
      {"mesh: not there",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"}},
       "s.yaml:2:37: error: no such file: \"a.stl\"; tried a.stl"},
      {"mesh: misspelt",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.STL}}}\n"}},
       "s.yaml:2:37: error: no such file: \"a.STL\"; tried a.STL"},
      {"mesh: a folder",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: .}}}\n"}},
       "s.yaml:2:37: error: is a directory, not a file: ."},
      {"mesh: of a package that is not there",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: package://dog/a.stl}}}\n"}},
       "s.yaml:2:37: error: package \"dog\" is not there; set --package-path or "
       "PEQUOD_PACKAGE_PATH to the folder that holds it"},
      {"mesh: empty",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"}, {"a.stl", ""}},
       "s.yaml:2:37: error: mesh a.stl is no STL file, or is cut off: 0 bytes for 0 triangles"},
      {"mesh: no STL",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"},
        {"a.stl", "hello\n"}},
       "s.yaml:2:37: error: mesh a.stl is no STL file, or is cut off: 6 bytes for 0 triangles"},
      {"mesh: no triangle",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"},
        {"a.stl", "solid nothing\nendsolid\n"}},
       "s.yaml:2:37: error: mesh a.stl has no triangle"},
      {"mesh: number as text",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"},
        {"a.stl",
         "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
         "0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex "
         "0 0 x\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 "
         "1\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex "
         "0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n"}},
       "a.stl:13:12: error: \"x\" is not a finite number"},
      {"mesh: vertex of two numbers",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"},
        {"a.stl",
         "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
         "0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex "
         "0 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 "
         "1\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex "
         "0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n"}},
       "a.stl:13:10: error: a vertex needs three numbers"},
      {"mesh: facet of two vertices",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"},
        {"a.stl",
         "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
         "0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 "
         "0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 1\nvertex "
         "0 1 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex 0 1 "
         "0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n"}},
       "a.stl:13:1: error: a facet of 2 vertices, not 3"},
      {"mesh: no word of STL",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"},
        {"a.stl",
         "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
         "0\nendloop\nendface\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex "
         "0 0 1\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 "
         "1\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex "
         "0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n"}},
       "a.stl:8:1: error: \"endface\" is no word of an STL file"},
      {"mesh: binary cut off",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl}}}\n"},
        {"a.stl",
         std::string(
             "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
             "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
             "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
             "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\t\000\000\000"
             "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
             "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000\000"
             "\000\000\000\000\000\000\000\000",
             134)}},
       "s.yaml:2:37: error: mesh a.stl is no STL file, or is cut off: 134 bytes for 9 triangles"},
      {"mesh: OBJ: number as text",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.obj}}}\n"},
        {"a.obj", "v 0 0 0\nv 1 x 0\n"}},
       "a.obj:2:5: error: \"x\" is not a finite number"},
      {"mesh: OBJ: number with a comma",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.obj}}}\n"},
        {"a.obj", "v 0 0 0\nv 1 0,5 0\n"}},
       "a.obj:2:5: error: \"0,5\" is not a finite number; write 0.5"},
      {"mesh: OBJ: vertex not there",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.obj}}}\n"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n"}},
       "a.obj:4:7: error: \"4\" names no vertex above; there are 3, numbered from 1"},
      {"mesh: OBJ: face of two",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.obj}}}\n"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n"}},
       "a.obj:4:5: error: a face needs three vertices or more"},
      {"mesh: OBJ: no face",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.obj}}}\n"},
        {"a.obj", "v 0 0 0\n"}},
       "s.yaml:2:37: error: mesh a.obj has no triangle"},
      {"mesh: OBJ: bytes",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.obj}}}\n"},
        {"a.obj", std::string("v 0 0 0\n\000\000\n", 11)}},
       "s.yaml:2:37: error: mesh a.obj is no OBJ file: it holds zero bytes"},
      {"mesh: DAE that is none",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.dae}}}\n"},
        {"a.dae", "<COLLADA>"}},
       "s.yaml:2:37: error: cannot read mesh a.dae"},
      {"mesh: unknown format",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.doc}}}\n"}, {"a.doc", "hello"}},
       "s.yaml:2:37: error: cannot read mesh a.doc"},
      {"mesh: scale of zero",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.stl, scale: [1, 0, 1]}}}\n"},
        {"a.stl",
         "solid t\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 "
         "0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex "
         "0 0 1\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 0 "
         "1\nvertex 0 1 0\nendloop\nendfacet\nfacet normal 0 0 0\nouter loop\nvertex 1 0 0\nvertex "
         "0 1 0\nvertex 0 0 1\nendloop\nendfacet\nendsolid\n"}},
       "s.yaml:2:51: error: a scale of 0 flattens the mesh"},
      {"mesh: flat hull",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {convex: {file: a.obj}}}\n"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\nf 1 2 4 3\n"}},
       "s.yaml:2:39: error: no convex hull: convex: the 4 points span no volume (qhull code 2); "
       "give at least four points that are not in one plane"},
      {"mesh: three triangles at an edge",
       {"run", "s.yaml"},
       {{"s.yaml", "bodies:\n  b: {mass: 1, shape: {mesh: {file: a.obj}}}\n"},
        {"a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nv 0 -1 0\nf 1 2 3\nf 1 2 4\nf 1 2 5\n"}},
       "s.yaml:2:37: error: mesh: triangles 0 and 1 run along their common side the same way: one "
       "faces inward, or more than two triangles share the side; mend the mesh, or use its convex "
       "hull; or use convex: {file: \342\200\246}, its hull"},
      {"height field: not there",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"}},
       "s.yaml:2:48: error: no such file: \"h.dat\"; tried h.dat"},
      {"height field: empty",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", ""}},
       "h.dat:1:1: error: a height field begins with its rows and columns, each at least 2"},
      {"height field: one row",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "1 3\n0 0 0\n"}},
       "h.dat:1:3: error: a height field begins with its rows and columns, each at least 2"},
      {"height field: counts as text",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "two 2\n"}},
       "h.dat:1:5: error: a height field begins with its rows and columns, each at least 2"},
      {"height field: too few heights",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "2 2\n0 0\n0\n"}},
       "h.dat:4:1: error: the file ends before all rows \303\227 columns heights"},
      {"height field: too many heights",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "2 2\n0 0\n0 0 0\n"}},
       "h.dat:3:5: error: more heights than rows \303\227 columns"},
      {"height field: height as text",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "2 2\n0 0\n0 x\n"}},
       "h.dat:3:3: error: \"x\" is not a finite number"},
      {"height field: decimal comma",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "2 2\n0 0\n0 0,5\n"}},
       "h.dat:3:3: error: \"0,5\" is not a finite number; write 0.5"},
      {"height field: infinite height",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "2 2\n0 0\n0 inf\n"}},
       "h.dat:3:3: error: \"inf\" is not a finite number"},
      {"height field: counts that cannot be",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1]}}}\n"},
        {"h.dat", "99999999 99999999\n"}},
       "h.dat:1:10: error: a height field begins with its rows and columns, each at least 2"},
      {"height field: size of zero",
       {"run", "s.yaml"},
       {{"s.yaml",
         "bodies:\n  g: {fixed: true, shape: {heightfield: {file: h.dat, size: [1, 1], height: "
         "x}}}\n"},
        {"h.dat", "2 2\n0 0\n0 0\n"}},
       "s.yaml:2:77: error: bodies.g.shape.heightfield.height: must be a number, not \"x\""},
      {"torques: not there",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"}},
       "s.yaml:7:38: error: no such file: \"t.csv\"; tried t.csv"},
      {"torques: empty",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", ""}},
       "t.csv:1:1: error: the table has no row; a header, then times and efforts"},
      {"torques: no row",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, left\n"}},
       "t.csv:1:1: error: the table has no row; a header, then times and efforts"},
      {"torques: no header",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "0, 1\n"}},
       "t.csv:1:1: error: the header must be \"t\" and joint names, not \"0\"; for instance: t, "
       "left"},
      {"torques: semicolons",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t; left\n0; 1\n"}},
       "t.csv:1:1: error: the header must be \"t\" and joint names, not \"t; left\"; columns are "
       "separated by commas, not by \";\""},
      {"torques: joint with its robot",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, arm/left\n0, 1\n"}},
       "t.csv:1:4: error: unknown joint \"arm/left\"; joints stand here without their robot; did "
       "you mean \"left\"?"},
      {"torques: unknown joint",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, lefd\n0, 1\n"}},
       "t.csv:1:4: error: unknown joint \"lefd\"; did you mean \"left\"?"},
      {"torques: joint twice",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, left, left\n0, 1, 1\n"}},
       "t.csv:1:10: error: joint \"left\" has two columns"},
      {"torques: too few columns",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, left\n0\n"}},
       "t.csv:2:1: error: 1 columns, the header has 2"},
      {"torques: decimal comma",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, left\n0, 1,5\n"}},
       "t.csv:2:1: error: 3 columns, the header has 2; decimals are written with a point: 1.5"},
      {"torques: effort as text",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, left\n0, x\n"}},
       "t.csv:2:4: error: \"x\" is not a finite number"},
      {"torques: nan",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, left\n0, nan\n"}},
       "t.csv:2:4: error: \"nan\" is not a finite number"},
      {"torques: time that stands still",
       {"run", "s.yaml"},
       {{"s.yaml",
         "robots:\n  arm:\n    base: {fixed: true}\n    links:\n      base: {mass: 1, inertia: "
         "{ixx: 1, iyy: 1, izz: 1}}\n      left: {mass: 1, inertia: {ixx: 1, iyy: 1, izz: 1}, "
         "joint: {parent: base}}\n    controller: {type: torque, file: t.csv}\n"},
        {"t.csv", "t, left\n0, 1\n0, 1\n"}},
       "t.csv:3:1: error: times must increase: 0 follows 0"},
  };
  return inputs;
}

}  // namespace pequod::test
