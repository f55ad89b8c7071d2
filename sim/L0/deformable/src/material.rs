//! Isotropic elastic materials and derived moduli.

use crate::error::DeformableError;

/// An isotropic elastic material in SI units.
///
/// ```
/// use sim_deformable::Material;
/// let rubber = Material::rubber();
/// assert!(rubber.shear_modulus() < rubber.youngs_modulus / 2.0);
/// assert!(Material { density: f64::NAN, ..rubber }.check().is_err());
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Young's modulus E, Pa: stress over strain in uniaxial tension.
    pub youngs_modulus: f64,
    /// Poisson's ratio ν: transverse contraction over axial extension; 0.5 is incompressible.
    pub poissons_ratio: f64,
    /// Density, kg/m³.
    pub density: f64,
    /// Friction coefficient.
    pub friction: f64,
    /// Kelvin–Voigt relaxation time τ, s: stress = E·(strain + τ·strain rate). It damps deformation
    /// but not rigid motion.
    pub damping: f64,
}

/// Defines the presets and their table.
macro_rules! presets {
    ($($(#[$doc:meta])* $name:ident: $e:expr, $nu:expr, $rho:expr, $mu:expr, $tau:expr;)*) => {
        impl Material {
            $($(#[$doc])* #[must_use]
            pub const fn $name() -> Self {
                Self {
                    youngs_modulus: $e,
                    poissons_ratio: $nu,
                    density: $rho,
                    friction: $mu,
                    damping: $tau,
                }
            })*

            /// All presets by name.
            pub const PRESETS: &[(&'static str, Self)] = &[$((stringify!($name), Self::$name())),*];
        }
    };
}

// Typical handbook values; a sample may differ by several times.
presets! {
    /// Natural rubber, lightly filled.
    rubber: 2e6, 0.48, 1100.0, 0.9, 1e-3;
    /// Woven cotton.
    cloth: 5e6, 0.3, 400.0, 0.4, 1e-3;
    /// Fat and skin.
    soft_tissue: 1e4, 0.45, 1000.0, 0.5, 5e-3;
    /// Muscle at rest.
    muscle: 5e4, 0.45, 1060.0, 0.5, 5e-3;
    /// Cartilage of joints.
    cartilage: 1e7, 0.4, 1100.0, 0.03, 2e-3;
    /// Gelatin dessert.
    gelatin: 3e3, 0.45, 1020.0, 0.2, 2e-3;
    /// Upholstery foam.
    foam: 3e4, 0.2, 40.0, 0.6, 1e-2;
    /// Tanned leather.
    leather: 5e7, 0.4, 900.0, 0.6, 2e-3;
    /// Braided rope, over its whole cross section.
    rope: 1e9, 0.3, 1100.0, 0.5, 1e-3;
    /// Stranded steel, over its whole cross section.
    steel_cable: 1e11, 0.3, 6000.0, 0.2, 1e-4;
    /// Tendons and ligaments.
    tendon: 1e9, 0.4, 1120.0, 0.1, 1e-3;
    /// Writing paper.
    paper: 3e9, 0.2, 800.0, 0.5, 1e-3;
    /// Polyethylene.
    flexible_plastic: 5e8, 0.4, 930.0, 0.3, 1e-3;
    /// Balsa, averaged over directions.
    soft_wood: 3e9, 0.3, 200.0, 0.5, 1e-3;
}

impl Material {
    /// Checks that every parameter is finite and in range.
    ///
    /// # Errors
    /// The first parameter that is not.
    pub fn check(&self) -> Result<(), DeformableError> {
        let e = self.youngs_modulus;
        let nu = self.poissons_ratio;
        let checks = [
            ("youngs_modulus", e, e > 0.0, "finite and above 0"),
            ("poissons_ratio", nu, nu > -1.0 && nu < 0.5, "above -1 and below 0.5"),
            ("density", self.density, self.density > 0.0, "finite and above 0"),
            ("friction", self.friction, self.friction >= 0.0, "finite and not negative"),
            ("damping", self.damping, self.damping >= 0.0, "finite and not negative"),
        ];
        for (name, value, valid, expected) in checks {
            if !(value.is_finite() && valid) {
                return Err(DeformableError::Material { name, value, expected });
            }
        }
        Ok(())
    }

    /// Shear modulus μ = E / (2(1 + ν)).
    #[must_use]
    pub fn shear_modulus(&self) -> f64 {
        self.youngs_modulus / (2.0 * (1.0 + self.poissons_ratio))
    }

    /// First Lamé parameter λ = Eν / ((1 + ν)(1 − 2ν)).
    #[must_use]
    pub fn lame_lambda(&self) -> f64 {
        let nu = self.poissons_ratio;
        self.youngs_modulus * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    }

    /// Bulk modulus K = E / (3(1 − 2ν)).
    #[must_use]
    pub fn bulk_modulus(&self) -> f64 {
        self.youngs_modulus / (3.0 * (1.0 - 2.0 * self.poissons_ratio))
    }

    /// Flexural rigidity of a plate, D = E t³ / (12(1 − ν²)), N·m.
    #[must_use]
    pub fn flexural_rigidity(&self, thickness: f64) -> f64 {
        let nu = self.poissons_ratio;
        self.youngs_modulus * thickness.powi(3) / (12.0 * (1.0 - nu * nu))
    }
}

#[cfg(test)]
mod tests {
    use super::Material;

    #[test]
    fn every_preset_is_valid() {
        assert_eq!(Material::PRESETS.len(), 14);
        for (name, material) in Material::PRESETS {
            assert_eq!(material.check(), Ok(()), "{name}");
        }
    }

    #[test]
    fn moduli_agree_with_each_other() {
        // K = λ + ⅔μ and E = 9Kμ/(3K + μ), for any isotropic material
        for (name, m) in Material::PRESETS {
            let (k, mu) = (m.bulk_modulus(), m.shear_modulus());
            assert!((k / (m.lame_lambda() + 2.0 / 3.0 * mu) - 1.0).abs() < 1e-12, "{name}");
            let e = 9.0 * k * mu / (3.0 * k + mu);
            assert!((e / m.youngs_modulus - 1.0).abs() < 1e-12, "{name}");
        }
    }
}
