// Tables of the pages.
#pragma once

#include <initializer_list>
#include <span>
#include <string>

namespace pequod::app::plot {

/// Cells of one row, escaped: <td> … </td> each.
[[nodiscard]] std::string cells_html(std::span<const std::string> cells);
[[nodiscard]] std::string cells_html(std::initializer_list<std::string> cells);

/// A table in a box that scrolls by itself where the page is narrower, also by the keyboard.
/// @param label  what it is, for who hears the page
/// @param heads  of its columns, escaped here
/// @param rows   <tr> … </tr> each, as they are to be
[[nodiscard]] std::string scrolling_table(const std::string& label,
                                          std::span<const char* const> heads,
                                          const std::string& rows);

}  // namespace pequod::app::plot
