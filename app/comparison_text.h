// A comparison as text: a table, files and the sentence of advice.
#pragma once

#include <string>

#include "app/comparison.h"

namespace pequod::app {

/// Whether the error is known as an upper bound only: of the reference, and of what is no farther
/// from it than it is known itself.
[[nodiscard]] bool is_upper_bound(const ComparisonRow& row);

// Cells of a row. "-" is what is not known; "<" stands before an upper bound; an order is a number,
// "exact" at rounding, or "parted".
[[nodiscard]] std::string error_text(const ComparisonRow& row);
[[nodiscard]] std::string order_text(const ComparisonRow& row);
[[nodiscard]] std::string kinds_text(const ComparisonRow& row);
/// So many digits. @param digits  ≥ 1
[[nodiscard]] std::string number_text(double x, int digits);

/// For people, in the order of the rows; below it the norm and what errors are measured against.
[[nodiscard]] std::string comparison_table(const Comparison& comparison);

/// comparison.csv, with a header line.
[[nodiscard]] std::string comparison_csv(const Comparison& comparison);

/// comparison.json.
[[nodiscard]] std::string comparison_json(const Comparison& comparison);

/// Which run of each model is the cheapest whose error is at most the wanted one, or how near the
/// model comes: one sentence.
[[nodiscard]] std::string comparison_advice(const Comparison& comparison);

}  // namespace pequod::app
