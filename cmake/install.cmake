# What `cmake --install` and the Debian package hold: the program, the shipped scenarios, the licence and the changes.
install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/headrace/scenarios COMPONENT cli
        FILES_MATCHING PATTERN "*.json" PATTERN "*.yaml")
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cli)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT cli)

set(CPACK_PACKAGE_VENDOR "The Headrace authors")
set(CPACK_PACKAGE_CONTACT "The Headrace authors <headrace@users.noreply.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL cli)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_CLI_PACKAGE_RECOMMENDS "libcurl4 | libcurl4t64")  # opened by calibrate --s3, never linked
set(CPACK_DEBIAN_CLI_PACKAGE_NAME headrace)
set(CPACK_DEBIAN_CLI_PACKAGE_SECTION science)
set(CPACK_DEBIAN_CLI_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_CLI_DESCRIPTION "${PROJECT_DESCRIPTION}")
include(CPack)
