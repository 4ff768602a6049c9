"""Which engines run which scenes, and with which settings. docs/performance.md says why they are fair."""

NEAR = {"solver": "Newton", "cone": "elliptic", "impratio": "100", "solref": "0.002,1", "tolerance": "1e-12"}

# A row: name in the table, program, its settings.
EVENTS = ("Pequod, events", "pequod", {})
TIME_STEPPING = ("Pequod, time-stepping", "pequod", {"contact.scheme": "time-stepping"})
NO_SLIP = ("Pequod, no-slip", "pequod", {"contact.model": "no-slip"})
COULOMB = ("Pequod, coulomb", "pequod", {})
# MuJoCo has room for the rows of a thousand soft balls only if they are few and contacts stiff.
MUJOCO_MANY = ("MuJoCo, CG, stiff", "mujoco", {"solver": "CG", "cone": "elliptic", "rows": "8", "solref": "0.004,1"})
PEERS = [
    ("MuJoCo", "mujoco", {}),
    ("MuJoCo, stiff", "mujoco", NEAR),
    ("Bullet", "bullet", {}),
    ("Bullet, 100 iterations", "bullet", {"iterations": "100"}),
    ("ODE quick", "ode", {}),
    ("ODE quick, 100 iterations", "ode", {"iterations": "100"}),
    ("ODE world", "ode", {"step": "world"}),
    ("DART", "dart", {}),
]
FEW = [row for row in PEERS if "100" not in row[0]]

# Of each scene: its rows. The first is the one that others are compared with.
ROWS = {
    "stack": [EVENTS, TIME_STEPPING] + PEERS,
    "tower": [EVENTS, TIME_STEPPING] + PEERS,
    "wall-54": [EVENTS, TIME_STEPPING] + PEERS,
    "wall-400": [EVENTS, TIME_STEPPING] + FEW,
    "grid": [EVENTS, TIME_STEPPING] + PEERS,
    "settling": [TIME_STEPPING, EVENTS] + PEERS,
    "cube-216": [TIME_STEPPING] + FEW,
    "poured-1001": [TIME_STEPPING, MUJOCO_MANY] + [row for row in FEW if row[1] in ("bullet", "dart")]
                   + [("ODE quick", "ode", {})],
    "robot-stands": [NO_SLIP, COULOMB] + PEERS,
    "robot-trots": [NO_SLIP, COULOMB] + PEERS,
}
