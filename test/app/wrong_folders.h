// Run folders, checkpoints, folders and files in place of each other that are wrong, and the one
// error that each ends in.
#pragma once

#include "test/app/wrong_input.h"

namespace pequod::test {

inline const WrongInputs& wrong_folders() {
  static const WrongInputs inputs{
      {"fit of a folder without a run",
       {"fit", "runs"},
       {{"runs/x.txt", ""}},
       "runs: error: is no run folder: it has no state.csv; pequod run --output DIR makes one"},
      {"foreign files",
       {"run", "s.yaml", "--output", "mine"},
       {{"mine/thesis.txt", "x"}},
       "pequod: mine: holds files that are no run of Pequod; choose another --output"},
      {"a file for a folder",
       {"run", "s.yaml", "--output", "afile"},
       {{"afile", ""}},
       "pequod: afile: is a file, not a folder"},
      {"a folder below a file",
       {"run", "s.yaml", "--output", "afile/sub"},
       {{"afile", ""}},
       "pequod: afile/sub: cannot be a folder: afile is a file"},
      {"checkpoint of other bytes",
       {"run", "s.yaml", "--output", "out", "--resume"},
       {{"out/checkpoint.bin", "hello"}},
       "pequod: out/checkpoint.bin: is no checkpoint of this version of the program; run without "
       "--resume to start afresh"},
      {"empty checkpoint",
       {"run", "s.yaml", "--output", "out", "--resume"},
       {{"out/checkpoint.bin", ""}},
       "pequod: out/checkpoint.bin: is no checkpoint of this version of the program; run without "
       "--resume to start afresh"},
      {"a file for problems",
       {"run", "s.yaml", "--record-problems", "afile"},
       {{"afile", ""}},
       "pequod: afile: is a file, not a folder"},
      {"comparison into a file",
       {"compare", "s.yaml", "--output", "afile"},
       {{"afile", ""}},
       "pequod: afile: is a file, not a folder"},
      {"comparison below a file",
       {"compare", "s.yaml", "--output", "afile/sub"},
       {{"afile", ""}},
       "pequod: afile/sub: cannot be a folder: afile is a file"},
      {"scene that is a folder",
       {"run", "d"},
       {{"d/x.txt", ""}},
       "d: error: is a directory, not a file: d"},
      {"check of a folder",
       {"check", "d"},
       {{"d/x.txt", ""}},
       "d: error: is a directory, not a file: d"},
      {"quasistatic of a folder",
       {"quasistatic", "d"},
       {{"d/x.txt", ""}},
       "d: error: is a directory, not a file: d"},
      {"solve of a folder without problems",
       {"solve", "d"},
       {{"d/x.txt", ""}},
       "pequod: d: no .dat, .yaml or .yml file in this folder"},
  };
  return inputs;
}

}  // namespace pequod::test
