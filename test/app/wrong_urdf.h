// URDF files that are wrong, and the one error that each ends in.
#pragma once

#include "test/app/wrong_input.h"

namespace pequod::test {

inline const WrongInputs& wrong_urdf() {
  static const WrongInputs inputs{
      {"URDF: empty",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"}, {"r.urdf", ""}},
       "r.urdf:1:1: error: not valid XML: the file is empty"},
      {"URDF: no XML",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"}, {"r.urdf", "robot\n"}},
       "r.urdf:1:1: error: not valid XML: there is no tag in it"},
      {"URDF: another format",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"}, {"r.urdf", "<sdf version=\"1.6\"/>\n"}},
       "r.urdf:1:1: error: not a URDF: the outermost element must be <robot>"},
      {"URDF: tag never closed",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf", "<robot name=\"r\">\n<link name=\"a\">\n</robot>\n"}},
       "r.urdf:2:1: error: not valid XML: <link> is closed by </robot> at line 3; put </link> "
       "before it"},
      {"URDF: last tag never closed",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf", "<robot name=\"r\">\n<link name=\"a\"/>\n"}},
       "r.urdf:1:1: error: not valid XML: <robot> is never closed; add </robot>"},
      {"URDF: tag without >",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf", "<robot name=\"r\">\n<link name=\"a\"\n</robot>\n"}},
       "r.urdf:2:1: error: not valid XML: <link has no >; add > or />"},
      {"URDF: no quotes",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"}, {"r.urdf", "<robot name=r>\n</robot>\n"}},
       "r.urdf:1:12: error: not valid XML: a value in <robot> has no quotes; write name=\"value\""},
      {"URDF: quote never closed",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"}, {"r.urdf", "<robot name=\"r>\n</robot>\n"}},
       "r.urdf:1:13: error: not valid XML: this quote in <robot> is never closed; add \""},
      {"URDF: comment never closed",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf", "<robot name=\"r\">\n<!-- a\n</robot>\n"}},
       "r.urdf:2:1: error: not valid XML: this comment is never closed; add -->"},
      {"URDF: no link",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"}, {"r.urdf", "<robot name=\"r\"/>\n"}},
       "r.urdf:1:1: error: the robot has no link"},
      {"URDF: mass as text",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"x\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:11: error: <mass value=\"x\">: must be a finite number"},
      {"URDF: negative mass",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"-1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:11: error: <mass value=\"-1\">: must be >= 0"},
      {"URDF: nan",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"nan\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:28: error: <inertia ixx=\"nan\">: must be a finite number"},
      {"URDF: inertia that no body has",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"3\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:3:1: error: link \"b\" has a non-physical inertia, principal moments 1, 1, 3 kg "
       "m\302\262: none may exceed the sum of the others"},
      {"URDF: no inertia",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:1: error: <inertial> needs <inertia>"},
      {"URDF: misspelt element",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><colision/>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:97: error: unknown element <colision> in <link>; did you mean <collision>?"},
      {"URDF: element in the wrong place",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><mass value=\"1\"/>\n</link>\n<joint "
         "name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit "
         "lower=\"-1\" upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:97: error: misplaced <mass> in <link>; it belongs in <inertial>"},
      {"URDF: two inertials",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><inertial><mass value=\"1\"/><inertia "
         "ixx=\"1\" ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" "
         "izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" type=\"revolute\"><parent "
         "link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" upper=\"1\" "
         "effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:97: error: a second <inertial> in <link>, first given at line 4"},
      {"URDF: box of two edges",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision><geometry><box size=\"1 "
         "2\"/></geometry></collision>\n</link>\n<joint name=\"j\" type=\"revolute\"><parent "
         "link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" upper=\"1\" "
         "effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:118: error: <box size=\"1 2\">: must be 3 finite numbers separated by spaces"},
      {"URDF: no geometry",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision/>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:97: error: <collision> needs <geometry>"},
      {"URDF: misspelt attribute",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lowr=\"-1\" "
         "upper=\"1\" effort=\"1\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:7:1: error: unknown attribute \"lowr\" of <limit>; did you mean \"lower\"?"},
      {"URDF: no limit",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n\n</joint>\n</robot>\n"}},
       "r.urdf:6:1: error: joint \"j\" needs <limit>; a revolute joint without limits is of type "
       "\"continuous\""},
      {"URDF: limits the wrong way round",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"2\" "
         "upper=\"1\" effort=\"1\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:7:1: error: joint \"j\": lower 2 is above upper 1"},
      {"URDF: no effort",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:7:1: error: <limit> needs the attribute \"effort\""},
      {"URDF: axis of zero",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"continuous\"><parent link=\"a\"/><child link=\"b\"/>\n<axis xyz=\"0 0 "
         "0\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:7:1: error: joint \"j\" has a zero axis"},
      {"URDF: unknown type",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"hinge\"><parent link=\"a\"/><child link=\"b\"/>\n\n</joint>\n</robot>\n"}},
       "r.urdf:6:1: error: joint \"j\": unknown type \"hinge\""},
      {"URDF: planar joint",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"planar\"><parent link=\"a\"/><child link=\"b\"/>\n\n</joint>\n</robot>\n"}},
       "r.urdf:6:1: error: joint \"j\": planar joints are not supported; use two prismatic joints "
       "and a revolute one"},
      {"URDF: two links of one name",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>\n\n</joint>\n<link "
         "name=\"b\"/>\n</robot>\n"}},
       "r.urdf:9:1: error: a second link named \"b\", first given at line 3"},
      {"URDF: unknown parent",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>\n\n</joint>\n<link "
         "name=\"c\"/>\n<joint name=\"k\" type=\"fixed\"><parent link=\"x\"/><child "
         "link=\"c\"/></joint>\n</robot>\n"}},
       "r.urdf:10:1: error: joint \"k\": unknown parent link \"x\"; did you mean \"a\"?"},
      {"URDF: two bases",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>\n\n</joint>\n<link "
         "name=\"c\"/>\n</robot>\n"}},
       "r.urdf:9:1: error: link \"c\" has no parent, and neither has \"a\" at line 2; join them, "
       "one robot has one base"},
      {"URDF: ring",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial>\n</link>\n<joint name=\"j\" "
         "type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/>\n\n</joint>\n<joint name=\"k\" "
         "type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint>\n</robot>\n"}},
       "r.urdf:6:1: error: the joints form a loop: every link has a parent"},
      {"URDF: missing package",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision><geometry><mesh "
         "filename=\"package://dog/a.stl\"/></geometry></collision><collision><geometry><mesh "
         "filename=\"package://dog/b.stl\"/></geometry></collision>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:118: error: package \"dog\" is not there; 2 collision meshes name it; set "
       "--package-path or PEQUOD_PACKAGE_PATH to the folder that holds it, or go on without: "
       "\"collision: none\" beside \"urdf\" in the scene leaves out all collision meshes"},
      {"URDF: missing mesh",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision><geometry><mesh "
         "filename=\"a.stl\"/></geometry></collision>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"}},
       "r.urdf:4:118: error: no such file: \"a.stl\"; tried a.stl"},
      {"URDF: flattened mesh",
       {"run", "s.yaml"},
       {{"s.yaml", "robots: {r: {urdf: r.urdf}}\n"},
        {"r.urdf",
         "<robot name=\"r\">\n<link name=\"a\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" "
         "ixy=\"0\" ixz=\"0\" iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial></link>\n<link "
         "name=\"b\">\n<inertial><mass value=\"1\"/><inertia ixx=\"1\" ixy=\"0\" ixz=\"0\" "
         "iyy=\"1\" iyz=\"0\" izz=\"1\"/></inertial><collision><geometry><mesh filename=\"a.stl\" "
         "scale=\"1 0 1\"/></geometry></collision>\n</link>\n<joint name=\"j\" "
         "type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/>\n<limit lower=\"-1\" "
         "upper=\"1\" effort=\"5\"/>\n</joint>\n</robot>\n"},
        {"a.stl", "x"}},
       "r.urdf:4:118: error: <mesh>: a scale of 0 flattens the mesh"},
  };
  return inputs;
}

}  // namespace pequod::test
