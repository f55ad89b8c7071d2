// Positions and axes of geoms. The axes are in the scratch buffer where that lets a multiprocessor execute more
// environments at once.
#ifdef GEOM_AXES_IN_STORAGE
fn geom_xpos(g: u32) -> vec3r { return w3(GEOM_POSE + 3u * g); }
fn geom_x_axis(g: u32) -> vec3r { return scratch[rare_adr(GEOM_AXIS4 + 2u * g)].xyz; }
fn geom_z_axis(g: u32) -> vec3r { return scratch[rare_adr(GEOM_AXIS4 + 2u * g + 1u)].xyz; }
#else
fn geom_xpos(g: u32) -> vec3r { return w3(GEOM_POSE + 9u * g); }
fn geom_x_axis(g: u32) -> vec3r { return w3(GEOM_POSE + 9u * g + 3u); }
fn geom_z_axis(g: u32) -> vec3r { return w3(GEOM_POSE + 9u * g + 6u); }
#endif
