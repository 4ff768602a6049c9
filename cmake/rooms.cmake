# Flags of every target of ours. Contraction is off so that bits do not depend on the processor.
add_library(pequod_flags INTERFACE)
target_compile_options(pequod_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow
                                              -ffp-contract=off -fno-math-errno
                                              # False alarm of gcc 12 on std::string + (its bug 105329).
                                              $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                                              # Vectors of four go between inlined functions alone.
                                              $<$<CXX_COMPILER_ID:GNU>:-Wno-psabi>
                                              # gcc collects garbage from 1 GB on, not 128 MB: a
                                              # tenth of its time.
                                              $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=1000000>)
target_include_directories(pequod_flags INTERFACE ${PROJECT_SOURCE_DIR})

# pequod_room(name FOLDERS dir... LINKS target... [BUILD_QUICKLY]): one static library from the sources of its
# folders. BUILD_QUICKLY: what runs once a run, not once a step, is built for a short build.
function(pequod_room name)
  cmake_parse_arguments(ROOM "BUILD_QUICKLY" "" "FOLDERS;LINKS" ${ARGN})
  set(sources)
  foreach(folder ${ROOM_FOLDERS})
    file(GLOB found CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
    list(APPEND sources ${found})
  endforeach()
  if(sources)
    add_library(pequod_${name} STATIC ${sources})
    # What is only for this tree must not follow a room that is installed.
    target_link_libraries(pequod_${name} PUBLIC ${ROOM_LINKS} PRIVATE $<BUILD_INTERFACE:pequod_flags>)
    target_include_directories(pequod_${name} PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
    if(ROOM_BUILD_QUICKLY)
      target_compile_options(pequod_${name} PRIVATE -O1)
    endif()
  else()
    add_library(pequod_${name} INTERFACE)
    target_link_libraries(pequod_${name} INTERFACE ${ROOM_LINKS})
    target_include_directories(pequod_${name} INTERFACE ${PROJECT_SOURCE_DIR})
  endif()
endfunction()

# pequod_test(folder [ROOMS folder...] LINKS target... [ALONE file...] [NOT file...] [SHARED]): one doctest
# program from test/<folder>/*.cpp and the same of the ROOMS in that folder, and the files of test/ that
# say what a whole program does, hence are compiled ALONE; NOT those that several programs share.
# SHARED: it has cases that need the folder of third-party robots and problems; they are tests of their
# own, shown as skipped where it is missing.
function(pequod_test folder)
  cmake_parse_arguments(TEST "SHARED" "" "ROOMS;LINKS;ALONE;NOT" ${ARGN})
  list(TRANSFORM TEST_ROOMS REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/test/${folder}/\\1/*.cpp")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/${folder}/*.cpp ${TEST_ROOMS})
  list(TRANSFORM TEST_NOT PREPEND ${PROJECT_SOURCE_DIR}/test/)
  list(REMOVE_ITEM sources ${TEST_NOT})
  if(NOT sources)
    return()
  endif()
  string(REPLACE "/" "_" name ${folder})
  add_executable(test_${name} ${sources} ${TEST_ALONE})
  target_link_libraries(test_${name} PRIVATE ${TEST_LINKS} pequod_flags test_main)
  # Their own code is a small part of what they run, and of -O2 the compiler's a large one.
  target_compile_options(test_${name} PRIVATE -O1)
  set_source_files_properties(${TEST_ALONE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  # pequod_suite(name filter): the cases of a test suite as one test of ctest.
  macro(pequod_suite test_name)
    add_test(NAME ${test_name} COMMAND test_${name} ${ARGN} WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
  endmacro()
  # Sanitizers take ten times as long: what is slow and goes the ways of others is left out there.
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=")
    set(heavy ",heavy")
  endif()
  pequod_suite(${name} --test-suite-exclude=*long*,*shared*${heavy})
  pequod_suite(${name}-long --test-suite=long)
  set_tests_properties(${name}-long PROPERTIES LABELS long)
  if(TEST_SHARED)
    pequod_suite(${name}-shared --test-suite=shared)
    pequod_suite(${name}-shared-long --test-suite=long-shared)
    set_tests_properties(${name}-shared-long PROPERTIES LABELS long)
    set_tests_properties(${name}-shared ${name}-shared-long
                         PROPERTIES SKIP_REGULAR_EXPRESSION "SKIPPED:")
  endif()
endfunction()
