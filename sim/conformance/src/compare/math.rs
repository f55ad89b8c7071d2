//! Comparison of the math functions (`mju_*`) on the random arguments recorded by the oracle.

use super::Outcome;
use crate::Archive;
use crate::tolerance;
use sim_core::math::band::Band;
use sim_core::math::box_qp::{BoxQp, Work};
use sim_core::math::pose::Pose;
use sim_core::math::{cholesky, eig3, pyramid, quat, quat_derivative, random, scalar, vec3};
use sim_core::muscle;

/// Compares one family of functions with its recording.
type Family = fn(&mut Trials<'_>);

/// Every family, by name.
const FAMILIES: [(&str, Family); 10] = [
    ("quaternion", quaternions),
    ("quaternion_derivative", quaternion_derivatives),
    ("pose", poses),
    ("band", bands),
    ("cholesky", choleskys),
    ("eig3", eigens),
    ("box_qp", box_qps),
    ("pyramid", pyramids),
    ("scalar", scalars),
    ("muscle", muscles),
];

/// Compares every family; one result for each.
#[must_use]
pub fn math(archive: &Archive) -> Vec<(&'static str, Outcome)> {
    let run = |(name, family): (&'static str, Family)| {
        let mut trials = Trials { archive, family: name, out: Outcome::default() };
        family(&mut trials);
        (name, trials.out)
    };
    FAMILIES.into_iter().map(run).collect()
}

/// The recorded trials of a family.
struct Trials<'a> {
    archive: &'a Archive,
    family: &'static str,
    out: Outcome,
}

impl<'a> Trials<'a> {
    /// Runs `f` on the arguments of each trial and compares its results with the recorded ones.
    fn each<const N: usize>(&mut self, name: &str, f: impl Fn(&'a [f64]) -> [Vec<f64>; N]) {
        let full = |suffix: &str| format!("{}/{name}.{suffix}", self.family);
        let results = ["out", "out2", "out3"];
        for k in 0..self.archive.count(&full("out")) {
            let ours = f(self.archive.row(&full("in"), k));
            for (suffix, ours) in results.iter().zip(&ours) {
                let theirs = self.archive.row(&full(suffix), k);
                let field = format!("{name}.{suffix}[{k}]");
                self.out.reals("function", &field, tolerance::FUNCTION, ours, theirs);
            }
        }
    }
}

fn fixed<const N: usize>(x: &[f64], start: usize) -> [f64; N] {
    std::array::from_fn(|k| x.get(start + k).copied().unwrap_or(f64::NAN))
}

fn quaternions(t: &mut Trials<'_>) {
    // arguments: two quaternions, a vector, a duration
    let a = |x: &[f64]| fixed::<4>(x, 0);
    let b = |x: &[f64]| fixed::<4>(x, 4);
    let v = |x: &[f64]| fixed::<3>(x, 8);
    t.each("subtract", |x| [quat::subtract(a(x), b(x)).to_vec()]);
    t.each("integrate", |x| [quat::integrate(a(x), v(x), x[11]).to_vec()]);
    t.each("derivative", |x| [quat::derivative(a(x), v(x)).to_vec()]);
    t.each("mul_axis", |x| [quat::mul_axis(a(x), v(x)).to_vec()]);
    t.each("mul", |x| [quat::mul(a(x), b(x)).to_vec()]);
    t.each("to_velocity", |x| [quat::to_velocity(a(x), x[11]).to_vec()]);
    t.each("rotate", |x| [quat::rotate(a(x), v(x)).to_vec()]);
    t.each("from_axis_angle", |x| [quat::from_axis_angle(vec3::normalize(v(x)).0, x[11]).to_vec()]);
    t.each("from_mat", |x| [quat::from_mat(&fixed(x, 0)).to_vec()]);
    t.each("from_z_axis", |x| [quat::from_z_axis(fixed(x, 0)).to_vec()]);
    for sequence in ["xyz", "ZYX", "xZy"] {
        t.each(&format!("from_euler.{sequence}"), |x| {
            [quat::from_euler(fixed(x, 0), sequence).unwrap_or_default().to_vec()]
        });
    }
    t.each("nearest_rotation", |x| {
        let (q, steps) = quat::nearest_rotation(&fixed(x, 0), quat::IDENTITY);
        [q.to_vec(), vec![steps as f64]]
    });
}

fn quaternion_derivatives(t: &mut Trials<'_>) {
    t.each("integrate", |x| {
        let d = quat_derivative::integrate_derivative(fixed(x, 0), x[3]);
        [d.by_quat.to_vec(), d.by_velocity.to_vec(), d.by_scale.to_vec()]
    });
    t.each("subtract", |x| {
        let (by_a, by_b) = quat_derivative::subtract_derivative(fixed(x, 0), fixed(x, 4));
        [by_a.to_vec(), by_b.to_vec()]
    });
}

fn poses(t: &mut Trials<'_>) {
    let first = |x: &[f64]| Pose { pos: fixed(x, 0), quat: fixed(x, 3) };
    let second = |x: &[f64]| Pose { pos: fixed(x, 7), quat: fixed(x, 10) };
    let both = |pose: Pose| [pose.pos.to_vec(), pose.quat.to_vec()];
    t.each("then", |x| both(first(x).then(&second(x))));
    t.each("inverse", |x| both(first(x).inverse()));
    t.each("apply", |x| [first(x).apply(fixed(x, 14)).to_vec()]);
}

fn bands(t: &mut Trials<'_>) {
    for (n, nband, ndense) in [(1, 1, 0), (6, 2, 0), (7, 3, 2), (5, 5, 5), (8, 4, 1)] {
        let Some(band) = Band::new(n, nband, ndense) else { continue };
        let name = |what: &str| format!("{n}_{nband}_{ndense}.{what}");
        t.each(&name("from_dense"), |x| {
            let mut mat = vec![0.0; band.len()];
            band.from_dense(x, &mut mat);
            [mat]
        });
        let matrices = format!("band/{}.out", name("from_dense"));
        for symmetric in [false, true] {
            t.each(&name(&format!("to_dense_{}", u8::from(symmetric))), |x| {
                let mut dense = vec![f64::NAN; n * n];
                band.to_dense(x, &mut dense, symmetric);
                [dense]
            });
            // the matrix is recorded once per trial
            let what = name(&format!("mul_vec_{}", u8::from(symmetric)));
            for k in 0..t.archive.count(&matrices) {
                let mut result = vec![f64::NAN; n];
                let x = t.archive.row(&format!("band/{what}.in"), k);
                band.mul_vec(t.archive.row(&matrices, k), x, &mut result, symmetric);
                let theirs = t.archive.row(&format!("band/{what}.out"), k);
                let field = format!("{what}[{k}]");
                t.out.reals("function", &field, tolerance::FUNCTION, &result, theirs);
            }
        }
        t.each(&name("factor"), |x| {
            let mut factor = x.to_vec();
            let least = band.factor(&mut factor, 0.3, 0.1).unwrap_or(0.0);
            [factor, vec![least]]
        });
        let (factors, vectors) = (name("factor"), name("mul_vec_1"));
        for k in 0..t.archive.count(&matrices) {
            let mut x = t.archive.row(&format!("band/{vectors}.in"), k).to_vec();
            band.solve(t.archive.row(&format!("band/{factors}.out"), k), &mut x);
            let theirs = t.archive.row(&format!("band/{factors}.out3"), k);
            t.out.reals("function", &format!("solve[{k}]"), tolerance::FUNCTION, &x, theirs);
        }
        t.each(&name("diagonal"), |_| [(0..n).map(|i| band.diagonal(i) as f64).collect()]);
    }
}

fn choleskys(t: &mut Trials<'_>) {
    const N: usize = 5;
    let lower = |mut mat: Vec<f64>| {
        for i in 0..N {
            mat[i * N + i + 1..(i + 1) * N].fill(0.0);
        }
        mat
    };
    t.each("factor", |x| {
        let (mut mat, mut x) = (x[..N * N].to_vec(), x[N * N..].to_vec());
        let rank = cholesky::factor(&mut mat, N, 1e-15);
        cholesky::solve(&mat, &mut x);
        [lower(mat), vec![rank as f64], x]
    });
    for plus in [true, false] {
        t.each(&format!("update_{}", u8::from(plus)), |x| {
            let (mut mat, mut x) = (x[..N * N].to_vec(), x[N * N..].to_vec());
            let rank = cholesky::update(&mut mat, &mut x, plus);
            [mat, vec![rank as f64]]
        });
    }
}

fn eigens(t: &mut Trials<'_>) {
    t.each("eig3", |x| {
        let e = eig3::eig3(&fixed(x, 0));
        [e.values.to_vec(), e.vectors.to_vec(), e.quat.to_vec()]
    });
}

fn box_qps(t: &mut Trials<'_>) {
    const N: usize = 6;
    t.each("solve", |x| {
        let part = |k: usize| &x[N * N + k * N..][..N];
        let (lower, upper) = (Some(part(1)), Some(part(2)));
        let program = BoxQp { h: &x[..N * N], g: part(0), lower, upper };
        let mut point = part(3).to_vec();
        let mut work = Work::default();
        if program.solve(&mut point, &mut work).is_err() {
            return [Vec::new(), Vec::new(), Vec::new()];
        }
        let mut flags = vec![0.0; N];
        for &i in work.free() {
            flags[i] = 1.0;
        }
        [point, vec![work.free().len() as f64], flags]
    });
}

fn pyramids(t: &mut Trials<'_>) {
    for dim in [3, 4, 6] {
        t.each(&format!("encode_{dim}"), |x| {
            let mut edges = vec![f64::NAN; 2 * (dim - 1)];
            pyramid::encode(&x[..dim], &x[dim..], &mut edges);
            [edges]
        });
        t.each(&format!("decode_{dim}"), |x| {
            let mut force = vec![f64::NAN; dim];
            pyramid::decode(&x[..2 * (dim - 1)], &x[2 * (dim - 1)..], &mut force);
            [force]
        });
    }
}

fn scalars(t: &mut Trials<'_>) {
    t.each("sigmoid", |x| [vec![scalar::sigmoid(x[0])]]);
    t.each("round", |x| [vec![f64::from(scalar::round(x[0]))]]);
    t.each("sign", |x| [vec![scalar::sign(x[0])]]);
    t.each("spring_damper", |x| [vec![scalar::spring_damper(x[0], x[1], x[2], x[3], x[4])]]);
    t.each("halton", |x| [vec![random::halton(x[0] as u32, x[1] as u32)]]);
}

/// Lengths of the muscle curves that the oracle records in each trial.
const LENGTHS: usize = 9;
/// Pairs of control and activation.
const EXCITATIONS: usize = 6;

fn muscles(t: &mut Trials<'_>) {
    // arguments: length, velocity, length range, acc0, parameters
    for i in 0..LENGTHS {
        t.each(&format!("gain_{i}"), |x| {
            [vec![muscle::gain(x[0], x[1], fixed(x, 2), x[4], &fixed(x, 5))]]
        });
        t.each(&format!("bias_{i}"), |x| {
            [vec![muscle::bias(x[0], fixed(x, 2), x[4], &fixed(x, 5))]]
        });
    }
    for i in 0..EXCITATIONS {
        t.each(&format!("dynamics_{i}"), |x| {
            [vec![muscle::activation_rate(x[0], x[1], fixed(x, 2))]]
        });
    }
}
