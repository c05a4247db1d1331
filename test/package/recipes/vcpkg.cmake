# What vcpkg's functions do, as far as the portfile calls them: the release build of a static library, as on Linux.
# usage: cmake -DRECIPE=FOLDER -DARCHIVE=TARBALL -DWORK=FOLDER -DPREFIX=FOLDER -P vcpkg.cmake
cmake_minimum_required(VERSION 3.20)
foreach(name RECIPE ARCHIVE WORK PREFIX)
  if(NOT ${name})
    message(FATAL_ERROR "${name} is not set")
  endif()
endforeach()
file(READ "${RECIPE}/vcpkg.json" manifest)
string(JSON PORT GET "${manifest}" name)
string(JSON VERSION GET "${manifest}" version)
set(CURRENT_PACKAGES_DIR "${PREFIX}")

macro(execute)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endmacro()

function(vcpkg_download_distfile out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FILENAME;SHA512" "URLS")
  get_filename_component(name "${ARCHIVE}" NAME)
  if(NOT arg_FILENAME STREQUAL name)
    message(FATAL_ERROR "the recipe wants ${arg_FILENAME}, the release is ${name}")
  endif()
  set(${out} "${ARCHIVE}" PARENT_SCOPE)
endfunction()

function(vcpkg_extract_source_archive out)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "ARCHIVE" "")
  file(ARCHIVE_EXTRACT INPUT "${arg_ARCHIVE}" DESTINATION "${WORK}")
  set(${out} "${WORK}/broadloom-${VERSION}" PARENT_SCOPE)
endfunction()

function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "SOURCE_PATH" "OPTIONS")
  execute("${CMAKE_COMMAND}" -G Ninja -S "${arg_SOURCE_PATH}" -B "${WORK}/build" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF
    "-DCMAKE_INSTALL_PREFIX=${PREFIX}" -DCMAKE_INSTALL_LIBDIR=lib ${arg_OPTIONS})
endfunction()

function(vcpkg_cmake_install)
  execute("${CMAKE_COMMAND}" --build "${WORK}/build")
  execute("${CMAKE_COMMAND}" --install "${WORK}/build")
endfunction()

# The files go to share/PORT, and so the one place in them that names the prefix by their own changes.
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "CONFIG_PATH" "")
  file(MAKE_DIRECTORY "${PREFIX}/share")
  file(RENAME "${PREFIX}/${arg_CONFIG_PATH}" "${PREFIX}/share/${PORT}")
  file(GLOB files "${PREFIX}/share/${PORT}/*.cmake")
  foreach(name IN LISTS files)
    file(READ "${name}" text)
    string(REGEX REPLACE "(get_filename_component\\(PACKAGE_PREFIX_DIR \"[^\"]*CURRENT_LIST_DIR}/)[./]*\"" "\\1../../\"" text "${text}")
    file(WRITE "${name}" "${text}")
  endforeach()
endfunction()

function(vcpkg_fixup_pkgconfig)
  if(NOT EXISTS "${PREFIX}/lib/pkgconfig/${PORT}.pc")
    message(FATAL_ERROR "there is no ${PORT}.pc")
  endif()
endfunction()

function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 arg "" "" "FILE_LIST")
  file(INSTALL ${arg_FILE_LIST} DESTINATION "${PREFIX}/share/${PORT}")
endfunction()

include("${RECIPE}/portfile.cmake")
