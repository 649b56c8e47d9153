# SPDX-License-Identifier: Apache-2.0

add_library(hri_warnings INTERFACE)
target_compile_options(hri_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wconversion;-Wsign-conversion;-Wdouble-promotion;-Wold-style-cast;-Wcast-qual;-Wnon-virtual-dtor;-Woverloaded-virtual;-Wformat=2;-Wimplicit-fallthrough;-Wundef>
  # Vectors are passed inside one kernel's object only, where their ABI is one.
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-psabi>
  # These misfire in g++ 12: restrict and stringop-overflow on string concatenation (GCC bug 105651),
  # maybe-uninitialized on long initialiser lists and under sanitizers, array-bounds inside toml++.
  # The sanitizers keep watch.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wduplicated-cond;-Wlogical-op;-Wuseless-cast;-Wno-restrict;-Wno-stringop-overflow;-Wno-maybe-uninitialized;-Wno-array-bounds>
  # clang warns of an `omp simd` loop that it leaves scalar, which is always so under sanitizers.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-pass-failed>)
