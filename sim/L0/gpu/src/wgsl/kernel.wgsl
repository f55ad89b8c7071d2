// Contents of the fused kernel of a model. `declarations`, `collision_dispatch` and `register_solver` are generated,
// `task`, `control_callback` and `passive_callback` are sources of the user; everything else is a file of this folder.

#import declarations
#import shared/constants
#import shared/barriers
#ifdef MATRICES_IN_STORAGE
#import shared/matrices_storage
#else
#import shared/matrices_workgroup
#endif
#ifdef SUBGROUPS
#import shared/subgroup_scan
#ifdef SINGLE_SUBGROUP
#import shared/lanes_subgroup
#else
#import shared/lanes_multi_subgroup
#endif
#else
#import shared/lanes_portable
#endif
#ifdef DOUBLE_PRECISION
#import shared/math_f64
#else
#import shared/math_f32
#endif
#import shared/math
#import shared/memory
#import shared/rare_arrays
#import shared/body_inertia
#import shared/tree_groups
#import shared/columns

#import forward
#import kinematics
#import smooth
#import tendon
#ifdef FLUID
#import fluid
#import fluid_derivative
#endif
#ifdef IMPLICIT_FULL
#import rne_derivative
#endif
#ifdef SPATIAL_TENDON
#import tendon_spatial
#endif
#ifdef HISTORY
#import history
#endif
#import actuation
#import activation
#ifdef MUSCLE
#import actuation_muscle
#endif
#ifdef DC_MOTOR
#import actuation_dcmotor
#endif
#ifdef SIGNED_DISTANCE
#import signed_distance
#endif
#import collision
#ifdef SLEEP
#import sleep
#endif
#ifdef ADHESION
#import adhesion
#endif
#ifdef CONTACT_ORDER_USED
#import contact_order
#endif
#import constraint
#import constraint_equality
#import solver
#ifdef COLD_START
#import solver_cold_start
#else
fn cold_start() {}
#endif
#ifdef NOSLIP
#import noslip
#endif
#import linesearch
#import linear_solve
#import integrate
#import integrate_free_body
#ifdef RK4
#import integrate_rk4
#endif
#import sensor
#ifdef RANGEFINDER
#import sensor_ray
#endif
#ifdef RAY_SURFACE
#import sensor_ray_surface
#endif
#ifdef DISTANCE_SENSOR
#import sensor_distance
#endif
#ifdef TACTILE_SENSOR
#import sensor_tactile
#endif
#ifdef CONTACT_SENSOR
#import sensor_contact
#endif
#ifdef TASK
#import task
#else
fn reward() -> real { return real(0.0); }
fn terminated() -> bool { return false; }
#endif
#ifdef CONTROL_CALLBACK
#import control_callback
#else
fn mjcb_control(i: u32) -> real { return ctrl(i); }
#endif
#ifdef PASSIVE_CALLBACK
#import passive_callback
#endif
