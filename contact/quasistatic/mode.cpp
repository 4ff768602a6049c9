#include "contact/quasistatic/mode.h"

namespace pequod {

std::string_view name(QuasistaticMode mode) {
  switch (mode) {
    case QuasistaticMode::breaks:
      return "breaks";
    case QuasistaticMode::rolls:
      return "rolls";
    case QuasistaticMode::slides_left:
      return "slides-left";
    case QuasistaticMode::slides_right:
      break;
  }
  return "slides-right";
}

ModeZeros zeros_of(QuasistaticMode mode) {
  switch (mode) {
    case QuasistaticMode::slides_left:
      return {{true, false, true}, {false, true, false}};
    case QuasistaticMode::slides_right:
      return {{true, true, false}, {false, false, true}};
    case QuasistaticMode::rolls:
      return {{true, true, true}, {false, false, false}};
    case QuasistaticMode::breaks:
      break;
  }
  return {{false, false, false}, {true, true, true}};
}

}  // namespace pequod
