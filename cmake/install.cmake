# The solvers as a library of their own: find_package(pequod) gives the target pequod::solvers.
#   cmake --install build/release --prefix DIR --component solvers
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

target_compile_features(pequod_solvers PUBLIC cxx_std_20)
set_target_properties(pequod_solvers PROPERTIES EXPORT_NAME solvers)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/pequod)
install(TARGETS pequod_solvers EXPORT pequod-targets COMPONENT solvers
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pequod)
install(DIRECTORY contact/solvers COMPONENT solvers
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/pequod/contact FILES_MATCHING PATTERN "*.h")
install(EXPORT pequod-targets COMPONENT solvers NAMESPACE pequod:: DESTINATION ${package})

configure_package_config_file(cmake/pequod-config.cmake.in ${CMAKE_BINARY_DIR}/pequod-config.cmake
                              INSTALL_DESTINATION ${package})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/pequod-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/pequod-config.cmake ${CMAKE_BINARY_DIR}/pequod-config-version.cmake
        COMPONENT solvers DESTINATION ${package})
