# Installs everything into an empty prefix; the program runs there, from any folder, and a stranger's
# project builds against the library.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK}/elsewhere)

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK}/elsewhere
                  RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
foreach(file bin/pequod share/pequod/examples/quadruped/trot.yaml share/pequod/pequod.schema.json
             share/man/man1/pequod.1 share/bash-completion/completions/pequod
             share/zsh/site-functions/_pequod share/fish/vendor_completions.d/pequod.fish include/pequod/scene/scene.h include/pequod/contact/solvers/least_distance/dual.h)
  if(NOT EXISTS ${WORK}/prefix/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

# Its own examples, not those of the source tree: the folder it runs in has none.
run(${WORK}/prefix/bin/pequod experiment pang-data-sets --quick)
run(${WORK}/prefix/bin/pequod run ${WORK}/prefix/share/pequod/examples/quadruped/trot.yaml
    --duration 0.1)

run(${CMAKE_COMMAND} -S ${SOURCE}/examples/controllers -B ${WORK}/build
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${CXX} "-D CMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/one_leg_up)
