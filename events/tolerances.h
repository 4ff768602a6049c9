// What several finders allow for. Each only selects features, every one of which carries its own
// gap.
#pragma once

namespace pequod {

/// Sine of the angle by which a normal may leave the cone of a feature.
inline constexpr double kNormalSlack = 1e-3;

/// The same where two edges cross: their normal is that of both, and one outside the cone of a
/// ridge that is almost flat would push along the ground.
inline constexpr double kCrossingSlack = 1e-9;

/// Share of the way to the tip of a cone, or to where an edge is tangent to the rim that it
/// crosses, where normals turn without bound: what runs there is looked at again after as much.
inline constexpr double kToTip = 0.2;

/// Of the size, or of a length: a point this far outside a face's border or beyond an edge's end
/// still stands on it, so that nothing falls between two neighbours; what rises by less is flat,
/// and this deep a core may seem inside for rounding. Ten times the noise of poses.
inline constexpr double kMerge = 1e-9;

/// rad: facets of ground that lean from each other by more have a sharp edge between them.
inline constexpr double kSharpEdge = 0.1;

/// rad. Between the normals of facets that lean less from each other none turns: a point that goes
/// over their border is there for a moment in which a step ends only by chance, and its speed along
/// the next normal, 1e-5 of its own, is 1e-10 of its energy.
inline constexpr double kAllButFlat = 1e-5;

}  // namespace pequod
