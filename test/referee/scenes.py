"""What a scene is, and the YAML of it."""
import dataclasses


@dataclasses.dataclass
class Scene:
    kind: str
    name: str
    text: str         # YAML
    truth: dict       # columns of state.csv at the end
    tolerance: float  # of each, in its unit
    files: dict = dataclasses.field(default_factory=dict)  # text of what the scene refers to


def body(name, mass, shape, position, velocity=(0, 0, 0), angular_velocity=(0, 0, 0), rpy=(0, 0, 0),
         more=""):
    place = [repr(float(x)) for x in position]
    vectors = {"velocity": velocity, "angular_velocity": angular_velocity}
    lines = [f"  {name}:", f"    mass: {mass!r}", f"    shape: {{{shape}}}",
             f"    position: [{', '.join(place)}]",
             f"    orientation: {{rpy: {[float(x) for x in rpy]}}}"]
    lines += [f"    {key}: {[float(x) for x in value]}" for key, value in vectors.items()]
    return "\n".join(lines) + "\n" + more


def scene_text(duration, method, model, mu, restitution, *bodies, ground="plane: {}", gravity=None,
               law="newton", step=0.001):
    lines = [f"duration: {duration!r}", f"integrator: {{method: {method}, step: {step}}}",
             f"contact: {{model: {model}, restitution: {law}}}"]
    if gravity:
        lines.append(f"gravity: {gravity}")
    lines += ["surfaces:",
              f"  - {{between: ['*', '*'], friction: {mu}, restitution: {restitution}}}",
              "bodies:", f"  ground: {{fixed: true, shape: {{{ground}}}}}"]
    return "\n".join(lines) + "\n" + "".join(bodies)
