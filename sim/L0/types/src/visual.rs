//! Visualization settings of a model (`mjVisual`).

use crate::options::{Numbers, numeric_struct};

numeric_struct! {
    /// Global visualization parameters.
    VisualGlobal {
        /// Initial camera: -1 for the free camera, otherwise an index.
        cameraid: i32 = -1,
        /// 1 if the free camera is orthographic.
        orthographic: i32 = 0,
        /// Vertical field of view of the free camera: degrees, or metres if orthographic.
        fovy: f32 = 45.0,
        /// Distance between the two eyes of the free camera (m).
        ipd: f32 = 0.068,
        /// Initial azimuth of the free camera (degrees).
        azimuth: f32 = 90.0,
        /// Initial elevation of the free camera (degrees).
        elevation: f32 = -45.0,
        /// Width of lines in pixels.
        linewidth: f32 = 1.0,
        /// Emission added to the selected body.
        glow: f32 = 0.3,
        /// Initial real-time factor.
        realtime: f32 = 1.0,
        /// Width of the offscreen buffer in pixels.
        offwidth: i32 = 640,
        /// Height of the offscreen buffer in pixels.
        offheight: i32 = 480,
        /// Shape of equivalent inertias: 0 box, 1 ellipsoid.
        ellipsoidinertia: i32 = 0,
        /// 1 if bounding volumes visited by collision detection are highlighted.
        bvactive: i32 = 1,
    }
}

numeric_struct! {
    /// Rendering quality.
    VisualQuality {
        /// Side of the shadow map in texels.
        shadowsize: i32 = 4096,
        /// Samples per pixel of the offscreen buffer.
        offsamples: i32 = 4,
        /// Slices of round shapes.
        numslices: i32 = 28,
        /// Stacks of round shapes.
        numstacks: i32 = 16,
        /// Subdivisions of a box face.
        numquads: i32 = 4,
    }
}

numeric_struct! {
    /// Light at the camera.
    Headlight {
        /// Ambient colour (r, g, b).
        ambient: [f32; 3] = [0.1; 3],
        /// Diffuse colour (r, g, b).
        diffuse: [f32; 3] = [0.4; 3],
        /// Specular colour (r, g, b).
        specular: [f32; 3] = [0.5; 3],
        /// 1 if the light is on.
        active: i32 = 1,
    }
}

numeric_struct! {
    /// Maps between simulated quantities and their visualization.
    VisualMap {
        /// Stiffness of a mouse perturbation per unit of mass (1/s²).
        stiffness: f32 = 100.0,
        /// Rotational stiffness of a mouse perturbation per unit of inertia (1/s²).
        stiffnessrot: f32 = 500.0,
        /// Length of a force arrow per unit of acceleration at the mean body mass.
        force: f32 = 0.005,
        /// Length of a torque arrow per unit of torque.
        torque: f32 = 0.1,
        /// Factor on the opacity of moving geoms if they are drawn transparent.
        alpha: f32 = 0.3,
        /// Start of fog, relative to the extent of the model.
        fogstart: f32 = 3.0,
        /// End of fog, relative to the extent of the model.
        fogend: f32 = 10.0,
        /// Near clipping plane, relative to the extent of the model.
        znear: f32 = 0.01,
        /// Far clipping plane, relative to the extent of the model.
        zfar: f32 = 50.0,
        /// Fraction of the distance to the horizon that is hazy.
        haze: f32 = 0.3,
        /// Shadow volume of directional lights, relative to the extent of the model.
        shadowclip: f32 = 1.0,
        /// Shadow volume of spot lights, relative to their cutoff.
        shadowscale: f32 = 0.6,
        /// Width of an actuated tendon relative to the tendon's width.
        actuatortendon: f32 = 2.0,
    }
}

numeric_struct! {
    /// Sizes of decorative elements, relative to the mean body size.
    VisualScale {
        /// Radius of force arrows.
        forcewidth: f32 = 0.1,
        /// Radius of contact cylinders.
        contactwidth: f32 = 0.3,
        /// Half-height of contact cylinders.
        contactheight: f32 = 0.1,
        /// Radius of the capsules that connect bodies and joints.
        connect: f32 = 0.2,
        /// Radius of centre-of-mass spheres.
        com: f32 = 0.4,
        /// Size of cameras.
        camera: f32 = 0.3,
        /// Size of lights.
        light: f32 = 0.3,
        /// Radius of the selection point.
        selectpoint: f32 = 0.2,
        /// Length of joint arrows.
        jointlength: f32 = 1.0,
        /// Radius of joint arrows.
        jointwidth: f32 = 0.1,
        /// Length of actuator arrows.
        actuatorlength: f32 = 0.7,
        /// Radius of actuator arrows.
        actuatorwidth: f32 = 0.2,
        /// Length of frame axes.
        framelength: f32 = 1.0,
        /// Radius of frame axes.
        framewidth: f32 = 0.1,
        /// Radius of constraint spheres and perturbation capsules.
        constraint: f32 = 0.1,
        /// Radius of slider-cranks.
        slidercrank: f32 = 0.2,
        /// Distance of the far plane of a drawn camera frustum.
        frustum: f32 = 10.0,
    }
}

numeric_struct! {
    /// Colours (r, g, b, opacity) of decorative elements.
    VisualRgba {
        /// Fog.
        fog: [f32; 4] = [0.0, 0.0, 0.0, 1.0],
        /// Haze.
        haze: [f32; 4] = [1.0, 1.0, 1.0, 1.0],
        /// External force.
        force: [f32; 4] = [1.0, 0.5, 0.5, 1.0],
        /// Equivalent inertia.
        inertia: [f32; 4] = [0.8, 0.2, 0.2, 0.6],
        /// Joint.
        joint: [f32; 4] = [0.2, 0.6, 0.8, 1.0],
        /// Actuator in its neutral state.
        actuator: [f32; 4] = [0.2, 0.25, 0.2, 1.0],
        /// Actuator at its negative limit.
        actuatornegative: [f32; 4] = [0.2, 0.6, 0.9, 1.0],
        /// Actuator at its positive limit.
        actuatorpositive: [f32; 4] = [0.9, 0.4, 0.2, 1.0],
        /// Centre of mass.
        com: [f32; 4] = [0.9, 0.9, 0.9, 1.0],
        /// Camera.
        camera: [f32; 4] = [0.6, 0.9, 0.6, 1.0],
        /// Light.
        light: [f32; 4] = [0.6, 0.6, 0.9, 1.0],
        /// Selection point.
        selectpoint: [f32; 4] = [0.9, 0.9, 0.1, 1.0],
        /// Connection of bodies and joints.
        connect: [f32; 4] = [0.2, 0.2, 0.8, 1.0],
        /// Contact point.
        contactpoint: [f32; 4] = [0.9, 0.6, 0.2, 1.0],
        /// Contact force.
        contactforce: [f32; 4] = [0.7, 0.9, 0.9, 1.0],
        /// Friction force of a contact.
        contactfriction: [f32; 4] = [0.9, 0.8, 0.4, 1.0],
        /// Torque of a contact.
        contacttorque: [f32; 4] = [0.9, 0.7, 0.9, 1.0],
        /// Contact that is excluded from the solver.
        contactgap: [f32; 4] = [0.5, 0.8, 0.9, 1.0],
        /// Ray of a rangefinder.
        rangefinder: [f32; 4] = [1.0, 1.0, 0.1, 1.0],
        /// Active constraint.
        constraint: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Slider-crank.
        slidercrank: [f32; 4] = [0.5, 0.3, 0.8, 1.0],
        /// Slider-crank whose rod is too short.
        crankbroken: [f32; 4] = [0.9, 0.0, 0.0, 1.0],
        /// Camera frustum.
        frustum: [f32; 4] = [1.0, 1.0, 0.0, 0.2],
        /// Bounding volume.
        bv: [f32; 4] = [0.0, 1.0, 0.0, 0.5],
        /// Bounding volume visited by collision detection.
        bvactive: [f32; 4] = [1.0, 0.0, 0.0, 0.5],
    }
}

/// Declares [`Visual`] and its visitors over the sections.
macro_rules! sections {
    ($($(#[$meta:meta])* $section:ident : $ty:ident),*) => {
        /// Visualization settings of a model (`mjVisual`); they do not affect the physics.
        ///
        /// ```
        /// let mut visual = sim_types::Visual::default();
        /// visual.set_field("map", "znear", &[0.02]).unwrap();
        /// assert_eq!(visual.map.znear, 0.02);
        /// ```
        #[doc(alias = "mjVisual")]
        #[doc(alias = "mj_defaultVisual")]
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct Visual {
            $($(#[$meta])* pub $section: $ty),*
        }

        impl Visual {
            /// Calls `f` with the section, name and values of every field, in order.
            pub fn visit(&self, f: &mut dyn FnMut(&'static str, &'static str, &[f64])) {
                $(self.$section.visit(&mut |name, values| f(stringify!($section), name, values));)*
            }

            /// Sets every field, in the order of [`Self::visit`]. `source` is called with the number
            /// of values of a field; returns `None` if it returns `None` or invalid values.
            pub fn set(&mut self, source: &mut dyn FnMut(usize) -> Option<Vec<f64>>) -> Option<()> {
                $(self.$section.set(source)?;)*
                Some(())
            }

            /// Sets one field; `None` if it does not exist or the values are invalid.
            pub fn set_field(&mut self, section: &str, name: &str, values: &[f64]) -> Option<()> {
                match section {
                    $(stringify!($section) => self.$section.set_field(name, values),)*
                    _ => None,
                }
            }
        }
    };
}

sections! {
    /// Global parameters.
    global: VisualGlobal,
    /// Rendering quality.
    quality: VisualQuality,
    /// Light at the camera.
    headlight: Headlight,
    /// Maps between simulated quantities and their visualization.
    map: VisualMap,
    /// Sizes of decorative elements.
    scale: VisualScale,
    /// Colours of decorative elements.
    rgba: VisualRgba
}

#[cfg(test)]
mod tests {
    use super::Visual;

    #[test]
    fn visitors_round_trip() {
        let mut visual = Visual::default();
        visual.set_field("rgba", "haze", &[0.1, 0.2, 0.3, 0.4]).unwrap();
        visual.set_field("global", "offwidth", &[800.0]).unwrap();
        let mut values = Vec::new();
        visual.visit(&mut |_, _, field| values.push(field.to_vec()));
        let mut values = values.into_iter();
        let mut copy = Visual::default();
        copy.set(&mut |_| values.next()).unwrap();
        assert_eq!(copy, visual);
    }

    #[test]
    fn invalid_fields_are_rejected() {
        let mut visual = Visual::default();
        assert_eq!(visual.set_field("map", "far", &[1.0]), None);
        assert_eq!(visual.set_field("maps", "zfar", &[1.0]), None);
        assert_eq!(visual.set_field("global", "offwidth", &[0.5]), None);
        assert_eq!(visual.set_field("rgba", "haze", &[1.0]), None);
    }
}
