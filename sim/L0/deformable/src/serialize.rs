//! Binary serialization of bodies.
//!
//! Values are little-endian. Constraints are stored in the order in which they are projected, and
//! colouring keeps that order: a restored body continues with bit-identical results.

use crate::body::Body;
use crate::constraint::ColoredConstraints;
use crate::constraint::SerializeConstraint;
use crate::constraint::curvature::Curvature;
use crate::constraint::dihedral::Dihedral;
use crate::constraint::distance::Distance;
use crate::constraint::neo_hookean::NeoHookean;
use crate::constraint::volume::Volume;
use crate::error::DeformableError;
use nalgebra::Vector3;

/// Error for bytes that are not a body.
fn invalid(what: &'static str) -> DeformableError {
    DeformableError::InvalidBytes { what }
}

/// Little-endian reader.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn word<const N: usize>(&mut self) -> Result<[u8; N], DeformableError> {
        let (head, tail) = self.0.split_first_chunk().ok_or_else(|| invalid("length"))?;
        self.0 = tail;
        Ok(*head)
    }

    /// Reads a finite number.
    fn number(&mut self, what: &'static str) -> Result<f64, DeformableError> {
        let value = f64::from_le_bytes(self.word()?);
        if value.is_finite() { Ok(value) } else { Err(invalid(what)) }
    }

    /// Reads an element count and checks it against the remaining bytes: each element takes at
    /// least `bytes`.
    fn count(&mut self, bytes: usize) -> Result<usize, DeformableError> {
        let count = usize::try_from(u64::from_le_bytes(self.word()?)).ok();
        let max = self.0.len() / bytes;
        count.filter(|&count| count <= max).ok_or_else(|| invalid("length"))
    }

    fn vectors(&mut self, n: usize) -> Result<Vec<Vector3<f64>>, DeformableError> {
        let mut vector =
            || Ok(Vector3::new(self.number("x")?, self.number("y")?, self.number("z")?));
        (0..n).map(|_| vector()).collect()
    }

    /// Reads the particles of an element: below `count` and all different.
    fn particles<const N: usize>(&mut self, count: usize) -> Result<[u32; N], DeformableError> {
        let mut at = [0; N];
        for k in 0..N {
            at[k] = u32::from_le_bytes(self.word()?);
            if at[k] as usize >= count || at[..k].contains(&at[k]) {
                return Err(invalid("elements"));
            }
        }
        Ok(at)
    }

    fn elements<const N: usize>(&mut self, count: usize) -> Result<Vec<[u32; N]>, DeformableError> {
        let n = self.count(4 * N)?;
        (0..n).map(|_| self.particles(count)).collect()
    }

    fn constraints<R: SerializeConstraint<N, K>, const N: usize, const K: usize>(
        &mut self,
        count: usize,
    ) -> Result<ColoredConstraints<R>, DeformableError> {
        let n = self.count(4 * N + 8 * K)?;
        let mut constraint = || {
            let at = self.particles(count)?;
            let mut parameters = [0.0; K];
            for parameter in &mut parameters {
                *parameter = self.number("constraints")?;
            }
            R::from_parameters(at, parameters).ok_or_else(|| invalid("constraints"))
        };
        let constraints: Result<Vec<R>, _> = (0..n).map(|_| constraint()).collect();
        Ok(ColoredConstraints::new(constraints?, count))
    }
}

fn write_values(out: &mut Vec<u8>, values: impl IntoIterator<Item = f64>) {
    values.into_iter().for_each(|value| out.extend_from_slice(&value.to_le_bytes()));
}

fn write_count(out: &mut Vec<u8>, count: usize) {
    out.extend_from_slice(&(count as u64).to_le_bytes());
}

fn write_elements<const N: usize>(out: &mut Vec<u8>, elements: &[[u32; N]]) {
    write_count(out, elements.len());
    elements.iter().flatten().for_each(|at| out.extend_from_slice(&at.to_le_bytes()));
}

fn write_constraints<R: SerializeConstraint<N, K>, const N: usize, const K: usize>(
    out: &mut Vec<u8>,
    constraints: &ColoredConstraints<R>,
) {
    write_count(out, constraints.as_slice().len());
    for constraint in constraints.as_slice() {
        constraint.particles().iter().for_each(|at| out.extend_from_slice(&at.to_le_bytes()));
        write_values(out, constraint.parameters());
    }
}

impl Body {
    /// Appends the body to `out`, for [`Body::from_bytes`].
    pub fn to_bytes(&self, out: &mut Vec<u8>) {
        write_count(out, self.len());
        for list in [&self.position, &self.velocity, &self.rest, &self.target] {
            write_values(out, list.iter().flatten().copied());
        }
        write_values(out, self.mass.iter().copied());
        out.extend(self.inv_mass.iter().map(|&w| u8::from(w > 0.0)));
        write_values(out, [self.damping, self.friction, self.contact_distance, self.radius]);
        write_values(out, self.sleep_state());
        out.push(u8::from(self.closed));
        write_elements(out, &self.triangles);
        write_elements(out, &self.segments);
        let c = &self.constraints;
        write_constraints::<Distance, 2, 2>(out, &c.distances);
        write_constraints::<Curvature<3>, 3, 5>(out, &c.bends);
        write_constraints::<Curvature<4>, 4, 6>(out, &c.hinges);
        write_constraints::<Dihedral, 4, 2>(out, &c.angles);
        write_constraints::<Volume, 4, 2>(out, &c.volumes);
        write_constraints::<NeoHookean, 4, 12>(out, &c.solids);
    }

    /// Reads a body written by [`Body::to_bytes`] from the front of `bytes`; returns it with the
    /// remaining bytes.
    ///
    /// # Errors
    /// Bytes that are not a body.
    pub fn from_bytes(bytes: &[u8]) -> Result<(Self, &[u8]), DeformableError> {
        let mut reader = Reader(bytes);
        let n = reader.count(4 * 24 + 9)?;
        let [position, velocity, rest, target] =
            [reader.vectors(n)?, reader.vectors(n)?, reader.vectors(n)?, reader.vectors(n)?];
        let masses: Result<Vec<f64>, _> = (0..n).map(|_| reader.number("masses")).collect();
        let mut body = Self::of_particles(position, masses?)?;
        (body.velocity, body.rest, body.target) = (velocity, rest, target);
        for i in 0..n {
            if reader.word::<1>()? == [0] {
                body.inv_mass[i] = 0.0;
            }
        }
        let non_negative = |value: f64| Some(value).filter(|value| *value >= 0.0);
        for slot in
            [&mut body.damping, &mut body.friction, &mut body.contact_distance, &mut body.radius]
        {
            *slot = non_negative(reader.number("material")?).ok_or_else(|| invalid("material"))?;
        }
        let mut sleep = [0.0; 5];
        for slot in &mut sleep {
            *slot = reader.number("sleep")?;
        }
        body.set_sleep_state(sleep);
        body.closed = reader.word::<1>()? != [0];
        let triangles = reader.elements(n)?;
        body.set_surface(triangles);
        body.segments = reader.elements(n)?;
        let c = &mut body.constraints;
        c.distances = reader.constraints::<Distance, 2, 2>(n)?;
        c.bends = reader.constraints::<Curvature<3>, 3, 5>(n)?;
        c.hinges = reader.constraints::<Curvature<4>, 4, 6>(n)?;
        c.angles = reader.constraints::<Dihedral, 4, 2>(n)?;
        c.volumes = reader.constraints::<Volume, 4, 2>(n)?;
        c.solids = reader.constraints::<NeoHookean, 4, 12>(n)?;
        Ok((body, reader.0))
    }
}
