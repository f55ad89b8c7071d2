// Stand-ins for the functions of height fields in kernels without them.

fn prism_support(ws: ptr<function, ConvexScratch>, dir: vec3r) -> vec3r { return dir; }
fn geom_center(ws: ptr<function, ConvexScratch>) -> vec3r { return (*ws).geoms[0].pos; }
fn hfield_begin(ws: ptr<function, ConvexScratch>, a: GeomPose, b: GeomPose, margin: real) -> bool { return false; }
fn hfield_next(ws: ptr<function, ConvexScratch>, margin: real) -> bool { return false; }
fn hfield_contact(contacts: ptr<function, ContactPoints>, ws: ptr<function, ConvexScratch>, a: GeomPose, dist: real) {}
