"""Which engines run which scenes, and with which settings. docs/performance.md says why they are fair."""

# A row: name in the table, program, its settings.
EVENTS = ("Pequod, events", "pequod", {})
TIME_STEPPING = ("Pequod, time-stepping", "pequod", {"contact.scheme": "time-stepping"})
NO_SLIP = ("Pequod, no-slip", "pequod", {"contact.model": "no-slip"})
COULOMB = ("Pequod, coulomb", "pequod", {})
# MuJoCo has room for the rows of a thousand soft balls only if they are few and contacts stiff.
MUJOCO_MANY = ("MuJoCo, CG, stiff", "mujoco", {"solver": "CG", "cone": "elliptic", "rows": "8", "solref": "0.004,1"})
MUJOCO = ("MuJoCo", "mujoco", {})
STIFF = ("MuJoCo, stiff", "mujoco", {"solref": "0.002,1"})
STICKY = ("MuJoCo, stiff, elliptic", "mujoco", {"solref": "0.002,1", "cone": "elliptic", "impratio": "100"})
OTHERS = [
    ("Bullet", "bullet", {}),
    ("Bullet, 100 iterations", "bullet", {"iterations": "100"}),
    ("ODE quick", "ode", {}),
    ("ODE quick, 100 iterations", "ode", {"iterations": "100"}),
    ("ODE world", "ode", {"step": "world"}),
    ("DART", "dart", {}),
]
PILE = [MUJOCO, STIFF] + OTHERS
SIMBODY = ("Simbody", "simbody", {})
# Its friction is viscous below 1 mm/s, not 1 cm/s.
SIMBODY_STICKY = ("Simbody, stiff friction", "simbody", {"transition": "1e-3", "accuracy": "1e-5"})
ROBOT = [MUJOCO, STICKY] + OTHERS + [SIMBODY, SIMBODY_STICKY]
# Four stages a step.
RK4 = {"integrator.method": "rk4"}
ROBOT_RK4 = [("Pequod, viscous, RK4", "pequod", {"contact.model": "viscous", **RK4}),
             ("Pequod, no-slip, RK4", "pequod", {"contact.model": "no-slip", **RK4}),
             ("MuJoCo, RK4", "mujoco", {"integrator": "RK4"})]
# Where each run is long.
FEW = [row for row in PILE if "100" not in row[0]]

FLIGHT = [("Pequod", "pequod", {}), MUJOCO] + [row for row in OTHERS if row[0] in ("Bullet", "ODE quick", "DART")] + [SIMBODY]

# Of each scene: its rows. The first is the one that others are compared with.
ROWS = {
    "stack": [EVENTS, TIME_STEPPING] + PILE,
    "tower": [EVENTS, TIME_STEPPING] + PILE,
    "wall-54": [EVENTS, TIME_STEPPING] + PILE,
    "wall-400": [EVENTS, TIME_STEPPING] + FEW,
    "grid": [EVENTS, TIME_STEPPING] + PILE,
    "settling": [TIME_STEPPING, EVENTS] + PILE,
    "cube-216": [TIME_STEPPING] + FEW,
    "poured-1001": [TIME_STEPPING, MUJOCO_MANY] + [row for row in OTHERS if row[0] in ("Bullet", "ODE quick", "DART")],
    "robot-stands": [NO_SLIP, COULOMB] + ROBOT,
    "robot-trots": [NO_SLIP, COULOMB] + ROBOT,
    "robot-arm": [NO_SLIP, COULOMB] + ROBOT,
    "robot-stands-rk4": ROBOT_RK4,
    "robot-trots-rk4": ROBOT_RK4,
    **{name: FLIGHT for name in ("chain-18", "chain-36", "chain-100", "tree-18", "tree-36", "tree-100")},
}
