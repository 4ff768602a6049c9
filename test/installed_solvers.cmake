# Installs the solvers into a prefix of this build, builds examples/solvers against them, runs it.
file(REMOVE_RECURSE ${WORK})

function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  message("${output}")
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "failed: ${ARGN}")
  endif()
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix --component solvers)
# A header that needs something which is not installed shows here.
file(GLOB headers ${WORK}/prefix/include/pequod/contact/solvers/*/*.h)
if(NOT headers)
  message(FATAL_ERROR "no header was installed")
endif()
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/solvers -B ${WORK}/build
    -D CMAKE_PREFIX_PATH=${WORK}/prefix -D CMAKE_CXX_COMPILER=${CXX} "-D CMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/plank)
