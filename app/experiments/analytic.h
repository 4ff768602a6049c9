// Parts of `pequod experiment analytic`.
#pragma once

#include "app/experiments/experiment.h"

namespace pequod::app {

void bouncing_ball(const Stage& stage);
void cradles(const Stage& stage);
void double_pendulum(const Stage& stage);
void struck_robot(const Stage& stage);
void sliding(const Stage& stage);
void slopes(const Stage& stage);
void rolling(const Stage& stage);
void rocking_block(const Stage& stage);
void rimless_wheel(const Stage& stage);
void tumbling(const Stage& stage);
void shots(const Stage& stage);
void piles(const Stage& stage);
void ball_grids(const Stage& stage);
void spinning_disk(const Stage& stage);
void rolling_cone(const Stage& stage);
void kane_levinson(const Stage& stage);
void slider_crank(const Stage& stage);

}  // namespace pequod::app
