# Broadloom for vcpkg: the build by CMake that the release's archive has.
vcpkg_download_distfile(archive
  URLS "https://broadloom.invalid/releases/broadloom-${VERSION}.tar.xz"
  FILENAME "broadloom-${VERSION}.tar.xz"
  SHA512 0
)
vcpkg_extract_source_archive(source ARCHIVE "${archive}")

vcpkg_cmake_configure(SOURCE_PATH "${source}")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/broadloom)
vcpkg_fixup_pkgconfig()

file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${source}/LICENSE")
