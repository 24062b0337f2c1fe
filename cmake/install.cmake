# What `cmake --install` holds beside the program: the shipped scenarios, the licence and the changes. The Debian packages
# are made of what is installed, by packaging/build_packages.
install(DIRECTORY scenarios/ DESTINATION ${CMAKE_INSTALL_DATADIR}/headrace/scenarios COMPONENT cli
        FILES_MATCHING PATTERN "*.json" PATTERN "*.yaml")
install(FILES CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT cli)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright COMPONENT cli)
