//! Flexes of different sizes.

/// MJCF of a square metre of cloth with `cells` cells along each side, pinned at its corners, under a falling
/// sphere; with self-collision.
pub(crate) fn cloth(cells: usize) -> String {
    let count = cells + 1;
    let (spacing, last) = (1.0 / cells as f64, count * count - 1);
    format!(
        r#"<mujoco>
<option timestep="0.001" solver="CG" tolerance="1e-6" integrator="implicitfast"/>
<size memory="200M"/>
<worldbody>
<geom type="plane" size="2 2 .1"/>
<body pos=".1 0 1.3"><freejoint/><geom type="sphere" size=".1" mass="1"/></body>
<flexcomp name="cloth" type="grid" dim="2" count="{count} {count} 1" spacing="{spacing} {spacing} {spacing}" pos="0 0 1" radius=".001" mass="1">
<contact solref=".01 1"/>
<edge damping="1"/>
<elasticity young="3e5" poisson="0" thickness="1e-3" elastic2d="stretch"/>
<pin id="0 {cells} {} {last}"/>
</flexcomp>
</worldbody>
</mujoco>
"#,
        last - cells
    )
}

/// MJCF of a cube of 0.4 m with `cells` cells along each side that rests on the floor.
pub(crate) fn solid(cells: usize) -> String {
    let (count, spacing) = (cells + 1, 0.4 / cells as f64);
    format!(
        r#"<mujoco>
<option timestep="0.001" solver="CG" tolerance="1e-6"/>
<size memory="500M"/>
<worldbody>
<geom type="plane" size="2 2 .1"/>
<flexcomp name="solid" type="grid" dim="3" count="{count} {count} {count}" spacing="{spacing} {spacing} {spacing}" pos="0 0 .201" radius=".001" mass="10">
<contact selfcollide="none"/>
<edge damping="1"/>
<elasticity young="5e4" poisson=".2" damping="1e-3"/>
</flexcomp>
</worldbody>
</mujoco>
"#
    )
}
