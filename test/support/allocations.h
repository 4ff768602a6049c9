// Counts the heap allocations of a test program.
#pragma once

namespace pequod::test {

/// Blocks asked of the heap so far by the whole program: malloc and its kin, which `new`, Eigen and
/// the containers all end in. The program must be built with test/support/allocations.cpp.
[[nodiscard]] long allocations();

}  // namespace pequod::test
