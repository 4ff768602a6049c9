# What cmake --install puts into a prefix: the program with its examples, schema, man page and
# completions, and two packages of libraries for find_package(pequod):
#   pequod::solvers  the solvers alone, which need Eigen and nothing else (--component solvers)
#   pequod::pequod   all rooms but the command line
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/pequod)
set(headers ${CMAKE_INSTALL_INCLUDEDIR}/pequod)

target_compile_features(pequod_solvers PUBLIC cxx_std_20)
set_target_properties(pequod_solvers PROPERTIES EXPORT_NAME solvers)
install(TARGETS pequod_solvers EXPORT pequod-targets COMPONENT solvers
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${headers})
install(DIRECTORY contact/solvers COMPONENT solvers
        DESTINATION ${headers}/contact FILES_MATCHING PATTERN "*.h")
install(EXPORT pequod-targets COMPONENT solvers NAMESPACE pequod:: DESTINATION ${package})

# The other rooms. Clients say pequod::pequod; the rooms keep their names behind it.
set(rooms core integrators events programs formulations fit quasistatic contact simulation scene)
foreach(room ${rooms})
  set_target_properties(pequod_${room} PROPERTIES EXPORT_NAME ${room})
  list(APPEND library pequod_${room})
endforeach()
add_library(pequod_library INTERFACE)
target_link_libraries(pequod_library INTERFACE pequod_scene pequod_formulations pequod_fit)
set_target_properties(pequod_library PROPERTIES EXPORT_NAME pequod)
install(TARGETS pequod_library ${library} EXPORT pequod-library-targets COMPONENT library
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} INCLUDES DESTINATION ${headers})
foreach(folder core integrators events contact simulation scene)
  install(DIRECTORY ${folder} COMPONENT library DESTINATION ${headers}
          FILES_MATCHING PATTERN "*.h" PATTERN "solvers" EXCLUDE)
endforeach()
install(EXPORT pequod-library-targets COMPONENT library NAMESPACE pequod:: DESTINATION ${package})

configure_package_config_file(cmake/pequod-config.cmake.in ${CMAKE_BINARY_DIR}/pequod-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/pequod-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pequod-config.cmake ${CMAKE_BINARY_DIR}/pequod-config-version.cmake
        COMPONENT solvers DESTINATION ${package})

install(TARGETS pequod COMPONENT program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY examples COMPONENT program DESTINATION ${CMAKE_INSTALL_DATADIR}/pequod)
install(FILES examples/pequod.schema.json COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/pequod)
# The scripts of pages, where ./dev web has built them.
install(FILES build/web/view.js build/web/report.js COMPONENT program OPTIONAL
        DESTINATION ${CMAKE_INSTALL_DATADIR}/pequod/web)
install(FILES docs/pequod.1 COMPONENT program DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
# Where each shell looks, under the name it looks for.
install(FILES ${CMAKE_BINARY_DIR}/completion.bash COMPONENT program RENAME pequod
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${CMAKE_BINARY_DIR}/completion.zsh COMPONENT program RENAME _pequod
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${CMAKE_BINARY_DIR}/completion.fish COMPONENT program RENAME pequod.fish
        DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
