// Narrow-phase functions, and the generated dispatch over pairs.

#import collision_dispatch
#ifdef COLLIDE_PLANE
#import collision_plane
#endif
#ifdef COLLIDE_PLANE_MESH
#import collision_plane_mesh
#endif
#ifdef COLLIDE_CAPSULE
#import collision_capsule
#endif
#ifdef COLLIDE_SPHERE_BOX
#import collision_sphere_box
#endif
#ifdef COLLIDE_BOX_BOX
#import collision_box_box
#endif
#ifdef COLLIDE_HULL
#import collision_hull
#endif
#ifdef COLLIDE_SUPPORT
#import collision_support
#ifdef COLLIDE_HFIELD
#import collision_hfield
#else
#import collision_no_hfield
#endif
#endif
#ifdef COLLIDE_HFIELD_SPHERE
#import collision_hfield_sphere
#endif
#ifdef COLLIDE_CONVEX
#import collision_gjk
#import collision_epa
#import collision_convex
#ifdef COLLIDE_MULTICONTACT
#import collision_multicontact
#else
fn multicontact(ws: ptr<function, ConvexScratch>, poly: ptr<function, Polytope>, max_contacts: u32) {}
#endif
#endif
#ifdef COLLIDE_SDF
#import collision_sdf
#endif
