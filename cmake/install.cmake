include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(ORDO_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/ordo")

install(DIRECTORY include/ordo DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.ipp")
install(TARGETS ordo_ordo ordo_cpu ordo_eigen ordo_dlpack ordo_trace EXPORT ordoTargets)
install(EXPORT ordoTargets NAMESPACE ordo:: DESTINATION ${ORDO_PACKAGE_DIR})
install(TARGETS ordo_compiled EXPORT ordoCompiledTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT ordoCompiledTargets NAMESPACE ordo:: DESTINATION ${ORDO_PACKAGE_DIR})

set(ORDO_COMPILED_WITH core)
foreach(component cpu trace)
  if(component IN_LIST ORDO_COMPONENTS)
    list(APPEND ORDO_COMPILED_WITH ${component})
  endif()
endforeach()
configure_package_config_file(cmake/ordoConfig.cmake.in "${CMAKE_CURRENT_BINARY_DIR}/ordoConfig.cmake"
  INSTALL_DESTINATION ${ORDO_PACKAGE_DIR} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/ordoConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/ordoConfig.cmake" "${CMAKE_CURRENT_BINARY_DIR}/ordoConfigVersion.cmake"
  cmake/dependencies.cmake DESTINATION ${ORDO_PACKAGE_DIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
