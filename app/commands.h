// The subcommands. Each returns the exit code.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/summary.h"
#include "scene/problem.h"

namespace pequod::app {

struct RunRequest {
  SceneSource source;
  std::filesystem::path output;           ///< empty: runs/NAME
  std::filesystem::path record_problems;  ///< folder of the run's contact problems; empty: none
  std::vector<std::string> shadow;        ///< models that solve its contact problems too
  bool overwrite = false;                 ///< an interrupted run of another scene in the folder
  bool certify = false;                   ///< once it has finished: docs/certify.md
  bool resume = false, quiet = false, json = false;
  bool profile = false;           ///< tells where its time went
  bool view = false;              ///< shows it in a browser while it goes on
  double checkpoint_every = 1.0;  ///< s of wall time
  int threads = 1;                ///< see Scenario::threads
  std::string command_line;       ///< as it was typed, for the hint how to resume
};
/// Simulates a scene into a run folder.
int run(const RunRequest& request);

struct SolveRequest {
  std::vector<std::string> files;    ///< files, folders, patterns
  std::optional<ProblemKind> kind;   ///< none: by folder or counts
  std::vector<std::string> solvers;  ///< empty: the default of each kind
  std::string model;                 ///< coulomb, associated; empty: as the kind has it
  std::filesystem::path plot;        ///< empty: none
  bool warm = false;                 ///< each solve from the answer of one before
  bool json = false, quiet = false;
};
/// Solves contact and complementarity problems from files.
int solve(const SolveRequest& request);

struct CompareRequest {
  SceneSource source;
  std::vector<std::string> integrators, models;  ///< empty: the scene's own
  std::vector<double> steps;                     ///< s; empty: the scene's own
  std::filesystem::path output;                  ///< empty: runs/NAME-compare
  int jobs = 0;                                  ///< at once; 0: as many as processors
  double error = 1e-4;                           ///< m, that the advice is for
  bool resume = false;                           ///< what an earlier comparison did stays
  bool shadow = false;  ///< the models also solve the contact problems of one run
  bool quiet = false;
};
/// Runs a scene with every integrator × model × step, side by side in processes of their own, into
/// run folders below `output`; one table; comparison.csv, comparison.json and
/// report.html there.
int compare(const CompareRequest& request);

inline constexpr const char* kListExperiments = "list";  ///< shows all, in place of a run
inline constexpr const char* kAllExperiments = "all";    ///< runs all
struct ExperimentRequest {
  std::string name;              ///< one of experiments(), or one of those two
  std::filesystem::path scenes;  ///< empty: the experiment's own
  bool quick = false, json = false;
  std::filesystem::path plot;    ///< SVG; empty: none
  std::filesystem::path output;  ///< of all: a folder; empty: runs/experiments
  std::filesystem::path report;  ///< of all: a page of Markdown; empty: none
};
/// Runs scenes whose answers are known and prints each error beside what is asked.
/// @return kFailed if a figure misses what is asked
int experiment(const ExperimentRequest& request);

struct QuasistaticRequest {
  std::filesystem::path file;
  bool all = false;  ///< every solution
  bool json = false;
  std::filesystem::path plot;  ///< SVG; empty: none
};
/// Solves a quasistatic contact problem, or proves that it has no solution.
int quasistatic(const QuasistaticRequest& request);

struct PlotRequest {
  std::vector<std::filesystem::path> folders;  ///< of runs
  std::vector<std::string> what;               ///< of plot_names(); empty: all that a run has
  std::string format = "svg";                  ///< svg, pdf or png
  std::filesystem::path output;                ///< of one figure; empty: WHAT.FORMAT in its folder
};
/// Draws figures of runs and prints the names of their files.
int plot_runs(const PlotRequest& request);
/// Figures that there are.
[[nodiscard]] std::vector<std::string> plot_names();

struct ViewRequest {
  std::vector<std::filesystem::path> folders;  ///< of one run or two
  std::filesystem::path output;                ///< empty: view.html in the first folder
  std::filesystem::path video;                 ///< in place of the page; empty: the page
  int frames = 30;                             ///< of a second of the video
};
/// Writes a page or a video that shows the motion, and prints its name.
int view_runs(const ViewRequest& request);

struct ReportRequest {
  std::filesystem::path folder;
  std::filesystem::path output;  ///< empty: report.html in the folder
};
/// Writes a page with the figures of a run, and prints its name.
int report_run(const ReportRequest& request);

struct FitRequest {
  std::filesystem::path data;  ///< CSV of samples, or a run folder
  double margin = 0.0;         ///< ε
  double l1 = 0.0;
  std::vector<int> bias;  ///< rows, from 1, whose q has a constant
  double noise = 1e-6;    ///< of what a run folder tells, relative
  int forces = 1;         ///< of samples without λ
  bool json = false;
};
/// Fits M and q of a contact LCP to samples, or frictions and masses to a run.
int fit(const FitRequest& request);

struct CheckRequest {
  SceneSource source;
  bool json = false;
};
/// Prints everything that is wrong with a scene or a URDF, every guess, what will surprise, and
/// what the scene means.
int check(const CheckRequest& request);

/// Prints the integrators, contact models, solvers and controllers, and what their pairs mean.
int list();

/// Prints the JSON Schema of scenes.
int schema();

}  // namespace pequod::app
