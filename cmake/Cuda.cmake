# SPDX-License-Identifier: Apache-2.0
#
# The CUDA back end: -DHRI_CUDA=ON, with -DCMAKE_CUDA_COMPILER=.../nvcc where nvcc is not on the PATH,
# and -DCMAKE_CUDA_ARCHITECTURES=... for other GPUs than Ampere, Ada and Hopper.

set(HRI_HAS_CUDA OFF)
if(HRI_CUDA)
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    if(NOT CMAKE_CUDA_ARCHITECTURES)
      set(CMAKE_CUDA_ARCHITECTURES 80-real 89-real 90)
    endif()
    enable_language(CUDA)
    set(HRI_HAS_CUDA ON)
  else()
    message(WARNING "HRI_CUDA is on, but there is no CUDA compiler: hri is built without CUDA. "
      "Install the CUDA toolkit, or name its nvcc by -DCMAKE_CUDA_COMPILER=PATH.")
  endif()
endif()

function(hri_add_cuda target)
  file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cu)
  target_sources(${target} PRIVATE ${cuda_sources})
  # The dialect is given as a flag, since CMake 3.25 does not know it for CUDA. As elsewhere, no
  # multiply-add is contracted.
  set_source_files_properties(${cuda_sources} PROPERTIES COMPILE_OPTIONS
    "-std=c++20;-fmad=false;--expt-relaxed-constexpr" SKIP_PRECOMPILE_HEADERS ON)
  set_target_properties(${target} PROPERTIES CUDA_STANDARD_REQUIRED OFF CUDA_RUNTIME_LIBRARY Static)
  set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/soft/cuda/no_cuda.cpp APPEND PROPERTY
    COMPILE_DEFINITIONS HRI_CUDA)
endfunction()
