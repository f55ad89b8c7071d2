//! Point sets for tests of convex hulls, each determined by its index and a seed.
//!
//! Only integer arithmetic, the four operations and square roots are used, so the sets have the
//! same bits on every machine. The coordinates are single precision, as those of a mesh.

/// Vertices of a mesh and the limit of its hull.
#[derive(Debug, Clone)]
pub struct PointSet {
    /// Family of the set.
    pub family: &'static str,
    /// Vertices, three numbers each.
    pub vert: Vec<f32>,
    /// Maximum number of vertices of the hull.
    pub maxhullvert: Option<usize>,
}

type Family = (&'static str, fn(&mut Random) -> Vec<[f64; 3]>);

/// Families of point sets. The coordinates are rounded to single precision afterwards.
const FAMILIES: &[Family] = &[
    ("cube", |r| random_points(r, 150)),
    ("sphere", |r| r.sphere(100)),
    ("large sphere", |r| r.sphere(600)),
    ("grid", grid),
    ("whole numbers", whole_numbers),
    ("turned grid", |r| turn(grid(r))),
    ("turned whole numbers", |r| turn(whole_numbers(r))),
    ("plate", plate),
    ("prism", prism),
    ("turned prism", |r| turn(prism(r))),
    ("cone", cone),
    ("latitudes", latitudes),
    ("noisy plate", noisy_plate),
    ("noisy corner", noisy_corner),
    ("noisy whole numbers", noisy_whole_numbers),
    ("sliver", sliver),
    ("narrow", narrow),
    ("lens", lens),
    ("ring", ring),
    ("clusters", clusters),
    ("duplicates", duplicates),
    ("plane", plane),
    ("line", line),
];

/// Number of families; a range of this many indices contains each of them once.
pub const FAMILY_COUNT: usize = FAMILIES.len();

/// The point set of an index. Every fourth set of each family has a limit.
#[must_use]
pub fn point_set(index: usize, seed: u64) -> PointSet {
    let (family, generate) = FAMILIES[index % FAMILY_COUNT];
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9).wrapping_add(index as u64));
    random.next();
    let vert = generate(&mut random).into_iter().flatten().map(|x| x as f32).collect();
    let limited = (index / FAMILY_COUNT) % 4 == 3;
    let maxhullvert = limited.then(|| 4 + random.below(60));
    PointSet { family, vert, maxhullvert }
}

/// Hash of a sequence of integers (FNV-1a of their bytes).
pub fn fingerprint(numbers: impl IntoIterator<Item = i32>) -> u64 {
    let bytes = numbers.into_iter().flat_map(i32::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// Pseudo-random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }

    /// A whole number from `low` to `high`.
    fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }

    /// A multiple of 2⁻²³ from −1 to 1.
    fn unit(&mut self) -> f64 {
        (self.below(1 << 24) as f64 - f64::from(1 << 23)) / f64::from(1 << 23)
    }

    fn point(&mut self) -> [f64; 3] {
        std::array::from_fn(|_| self.unit())
    }

    /// A power of two with an exponent from −`high` to −`low`.
    fn small(&mut self, low: usize, high: usize) -> f64 {
        (0..self.between(low, high)).fold(1.0, |x, _| x / 2.0)
    }

    fn sphere(&mut self, most: usize) -> Vec<[f64; 3]> {
        let count = self.between(10, most);
        let mut points = Vec::with_capacity(count);
        while points.len() < count {
            let p = self.point();
            let length = (p[0] * p[0] + p[1] * p[1] + p[2] * p[2]).sqrt();
            if length > 0.1 {
                points.push(p.map(|x| x / length));
            }
        }
        points
    }
}

fn random_points(r: &mut Random, most: usize) -> Vec<[f64; 3]> {
    (0..r.between(8, most)).map(|_| r.point()).collect()
}

fn shuffle(r: &mut Random, points: &mut [[f64; 3]]) {
    for i in (1..points.len()).rev() {
        points.swap(i, r.below(i + 1));
    }
}

fn grid(r: &mut Random) -> Vec<[f64; 3]> {
    let counts: [usize; 3] = std::array::from_fn(|_| r.between(2, 6));
    let mut points = Vec::new();
    for i in 0..counts[0] {
        for j in 0..counts[1] {
            points.extend((0..counts[2]).map(|k| [i, j, k].map(|x| x as f64)));
        }
    }
    if r.below(2) == 0 {
        shuffle(r, &mut points);
    }
    points
}

fn whole_numbers(r: &mut Random) -> Vec<[f64; 3]> {
    let (count, limit) = (r.between(10, 150), r.between(3, 12));
    (0..count).map(|_| std::array::from_fn(|_| r.below(limit) as f64)).collect()
}

/// Rotates and triples a set by a matrix of whole numbers.
fn turn(points: Vec<[f64; 3]>) -> Vec<[f64; 3]> {
    let turned =
        |[x, y, z]: [f64; 3]| [x + 2.0 * y + 2.0 * z, 2.0 * x + y - 2.0 * z, 2.0 * x - 2.0 * y + z];
    points.into_iter().map(turned).collect()
}

fn plate(r: &mut Random) -> Vec<[f64; 3]> {
    let mut points = random_points(r, 150);
    for p in &mut points {
        p[2] = 0.125 * r.below(2) as f64;
    }
    points
}

/// Points of the unit circle with rational coordinates, by the tangent of the half angle.
fn circle(quarter: usize) -> Vec<[f64; 2]> {
    let mut points = Vec::with_capacity(4 * quarter);
    for turn in 0..4 {
        for i in 0..quarter {
            let t = i as f64 / quarter as f64;
            let (x, y) = ((1.0 - t * t) / (1.0 + t * t), 2.0 * t / (1.0 + t * t));
            points.push([[x, y], [-y, x], [-x, -y], [y, -x]][turn]);
        }
    }
    points
}

fn prism(r: &mut Random) -> Vec<[f64; 3]> {
    let (quarter, levels) = (r.between(1, 15), r.between(2, 5));
    let ring = circle(quarter);
    (0..levels).flat_map(|z| ring.iter().map(move |[x, y]| [*x, *y, z as f64])).collect()
}

fn cone(r: &mut Random) -> Vec<[f64; 3]> {
    let (quarter, levels) = (r.between(1, 15), r.between(2, 5));
    let ring = circle(quarter);
    let scale = |level: usize| level as f64 / (levels - 1) as f64;
    (0..levels)
        .flat_map(|i| ring.iter().map(move |[x, y]| [x * scale(i), y * scale(i), 1.0 - scale(i)]))
        .collect()
}

fn latitudes(r: &mut Random) -> Vec<[f64; 3]> {
    let (around, along) = (circle(r.between(1, 6)), circle(r.between(1, 4)));
    let half = &along[..=along.len() / 2];
    half.iter().flat_map(|[z, s]| around.iter().map(move |[x, y]| [x * s, y * s, *z])).collect()
}

fn noisy_plate(r: &mut Random) -> Vec<[f64; 3]> {
    let (mut points, noise) = (random_points(r, 150), r.small(40, 57));
    for p in &mut points {
        p[2] = if r.below(2) == 0 { 1.0 } else { noise * p[2] };
    }
    points
}

/// Points close to three coordinate planes.
fn noisy_corner(r: &mut Random) -> Vec<[f64; 3]> {
    let (mut points, noise) = (random_points(r, 150), r.small(40, 57));
    for p in &mut points {
        let axis = r.below(3);
        for k in 0..3 {
            p[k] = if k == axis { noise * p[k] } else { p[k].abs() };
        }
    }
    points
}

fn noisy_whole_numbers(r: &mut Random) -> Vec<[f64; 3]> {
    let (mut points, noise) = (whole_numbers(r), r.small(40, 57));
    for p in &mut points {
        let shift = r.point();
        for k in 0..3 {
            if p[k] == 0.0 {
                p[k] = noise * shift[k];
            }
        }
    }
    points
}

fn scaled(points: Vec<[f64; 3]>, scale: [f64; 3]) -> Vec<[f64; 3]> {
    points.into_iter().map(|p| std::array::from_fn(|k| p[k] * scale[k])).collect()
}

fn sliver(r: &mut Random) -> Vec<[f64; 3]> {
    let points = if r.below(2) == 0 { random_points(r, 100) } else { whole_numbers(r) };
    let scale = [1.0, r.small(0, 24), r.small(0, 48)];
    scaled(points, scale)
}

fn narrow(r: &mut Random) -> Vec<[f64; 3]> {
    let scale = [1.0, 1.0, r.small(10, 44)];
    scaled(random_points(r, 150), scale)
}

fn lens(r: &mut Random) -> Vec<[f64; 3]> {
    let scale = [1.0, 1.0, r.small(10, 46)];
    scaled(r.sphere(120), scale)
}

/// A circle whose points are close to a plane.
fn ring(r: &mut Random) -> Vec<[f64; 3]> {
    let noise = r.small(12, 50);
    let quarter = r.between(3, 30);
    circle(quarter).into_iter().map(|[x, y]| [x, y, noise * r.unit()]).collect()
}

/// Groups of nearly equal points on the coordinate axes.
fn clusters(r: &mut Random) -> Vec<[f64; 3]> {
    let (count, noise) = (r.between(2, 12), r.small(20, 56));
    let mut points = Vec::new();
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for _ in 0..count {
                let mut p = r.point().map(|x| noise * x);
                p[axis] = side;
                points.push(p);
            }
        }
    }
    points
}

fn duplicates(r: &mut Random) -> Vec<[f64; 3]> {
    let mut points = if r.below(2) == 0 { random_points(r, 60) } else { grid(r) };
    for _ in 0..20 {
        points.push(points[r.below(points.len())]);
    }
    points
}

fn plane(r: &mut Random) -> Vec<[f64; 3]> {
    let mut coordinate = || r.below(2048) as f64 / 1024.0 - 1.0;
    let points = (0..40).map(|_| [coordinate(), coordinate()]);
    points.map(|[x, y]| [x, y, 0.5 * x - 0.25 * y]).collect()
}

fn line(r: &mut Random) -> Vec<[f64; 3]> {
    (0..r.between(4, 40)).map(|i| [i as f64, 2.0 * i as f64, 1.0]).collect()
}
