// Scenes with a closed form or a conserved quantity.
#include "app/experiments/analytic.h"

namespace pequod::app {

extern const Experiment kAnalytic{
    "analytic",
    "scenes with a closed form or a conserved quantity",
    {bouncing_ball, cradles, double_pendulum, struck_robot, sliding, slopes, rolling, rocking_block,
     rimless_wheel, tumbling, shots, piles, ball_grids, spinning_disk, rolling_cone, kane_levinson,
     slider_crank},
    "examples/analytic"};

}  // namespace pequod::app
