# pequod_experiments(target folder): the table of all `extern const Experiment kName{...}` that the sources of
# a folder end in, as one more source of the target. So an experiment is one file, and no list names it twice.
function(pequod_experiments target folder)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${sources})
  set(declarations)
  set(rows)
  foreach(source ${sources})
    file(STRINGS ${source} lines REGEX "^extern const Experiment k[A-Za-z0-9]+" ENCODING UTF-8)
    foreach(line IN LISTS lines)
      string(REGEX MATCH "k[A-Za-z0-9]+" name "${line}")
      string(APPEND declarations "extern const Experiment ${name};\n")
      string(APPEND rows "&${name}, ")
    endforeach()
  endforeach()
  set(table ${PROJECT_BINARY_DIR}/${target}_experiments.cpp)
  file(CONFIGURE OUTPUT ${table} @ONLY CONTENT
"// Written by cmake/experiments.cmake from the sources of @folder@.
#include \"@folder@/experiment.h\"

namespace pequod::app {

@declarations@
std::span<const Experiment* const> experiments() {
  static const Experiment* const kRows[]{@rows@};
  return kRows;
}

}  // namespace pequod::app
")
  target_sources(${target} PRIVATE ${table})
endfunction()
