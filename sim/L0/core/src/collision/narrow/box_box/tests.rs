//! Properties of the contacts of overlapping boxes at random poses.

use super::super::super::manifold::{ContactPoint, Manifold};
use super::super::super::shape::Shape;
use super::{BoxPair, Containment, ContainmentTest, box_box, separating_axis};
use crate::math::mat3::{self, Mat3};
use crate::math::quat;
use crate::math::vec3::{self, Vec3};
use sim_types::GeomType;

/// Linear congruential generator of numbers between 0 and 1.
struct Random(u64);

impl Random {
    fn number(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    fn size(&mut self) -> Vec3 {
        [(); 3].map(|()| 0.05 + 0.45 * self.number())
    }

    fn rotation(&mut self) -> Mat3 {
        quat::to_mat(quat::normalize([(); 4].map(|()| self.number() - 0.5)))
    }
}

/// Calls `check` with overlapping boxes, their penetration depth and their contacts.
fn overlapping_boxes(check: impl Fn(&Shape, &Shape, f64, &[ContactPoint])) {
    let mut random = Random(1);
    for k in 0..20_000 {
        let spread = [0.1, 0.3, 0.6, 1.0][k % 4];
        let (mat1, mat2, pos2) = (random.rotation(), random.rotation(), random.size());
        let pos2 = pos2.map(|x| 4.0 * spread * (x - 0.275));
        let shape = |pos, mat, size| Shape {
            kind: GeomType::Box,
            pos,
            mat,
            size,
            rbound: 1.0,
            mesh: None,
            hfield: None,
        };
        let one = shape([0.0; 3], &mat1, random.size());
        let two = shape(pos2, &mat2, random.size());
        let pair = BoxPair {
            one: &one,
            two: &two,
            pos21: mat3::mul_transpose_vec(&mat1, pos2),
            pos12: mat3::mul_transpose_vec(&mat2, vec3::scale(pos2, -1.0)),
            rot: mat3::mul(&mat3::transpose(&mat1), &mat2),
        };
        let mut out = Manifold::default();
        box_box(&one, &two, 0.0, &mut out);
        match separating_axis::least_penetration(&pair, 0.0) {
            Some((_, depth)) => check(&one, &two, depth, out.as_slice()),
            None => assert!(out.as_slice().is_empty()),
        }
    }
}

#[test]
fn overlapping_boxes_have_contacts() {
    overlapping_boxes(|_, _, _, points| assert!(!points.is_empty()));
}

#[test]
fn no_contact_is_deeper_than_the_penetration() {
    overlapping_boxes(|_, _, depth, points| {
        for point in points {
            assert!(point.dist > -depth * (1.0 + 1e-5) - 1e-12, "{point:?} {depth}");
        }
    });
}

#[test]
fn contacts_are_close_to_both_boxes() {
    overlapping_boxes(|one, two, _, points| {
        for point in points {
            let sides =
                [one, two].map(|cuboid| ContainmentTest::of(cuboid, 0.0).classify(point.pos));
            let stray = sides[0] == Containment::Outside && sides[1] != Containment::Inside
                || sides[1] == Containment::Outside && sides[0] != Containment::Inside;
            assert!(!stray, "{point:?}");
        }
    });
}
