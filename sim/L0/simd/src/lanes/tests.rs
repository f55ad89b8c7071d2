//! Every instruction set gives the results of scalar arithmetic in each lane.

use super::{FourLanes, InstructionSet, Kernel, Lanes, Mask, Visitor, with_four_lanes, with_lanes};

const VALUES: [f64; 8] = [0.0, -0.0, 1.5, -2.25, 1e300, f64::NAN, f64::INFINITY, -7.0];

struct Compare<V>(V, V);

impl<V: Lanes> Kernel for Compare<V> {
    type Output = Vec<V>;

    #[inline(always)]
    fn run(self) -> Vec<V> {
        let Self(a, b) = self;
        let (one, zero) = (V::splat(1.0), V::zero());
        let flag = |mask: V::Mask| one.select(mask, zero);
        let less = a.lt(b);
        vec![
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            a.sqrt(),
            a.abs(),
            a.floor(),
            a.max(b),
            a.min(b),
            flag(less),
            flag(a.le(b)),
            flag(a.gt(b)),
            flag(a.ge(b)),
            flag(!less),
            flag(less & a.lt(zero)),
            flag(less | a.lt(zero)),
            a.masked(less),
            a.add_masked(less, b),
        ]
    }
}

fn scalar(a: f64, b: f64) -> Vec<f64> {
    let flag = f64::from;
    let less = a < b;
    vec![
        a + b,
        a - b,
        a * b,
        a / b,
        -a,
        a.sqrt(),
        a.abs(),
        a.floor(),
        if a > b { a } else { b },
        if a < b { a } else { b },
        flag(less),
        flag(a <= b),
        flag(a > b),
        flag(a >= b),
        flag(!less),
        flag(less & (a < 0.0)),
        flag(less | (a < 0.0)),
        if less { a } else { 0.0 },
        if less { a + b } else { a },
    ]
}

struct Check;

impl Visitor for Check {
    type Output = usize;

    fn visit<V: Lanes>(self) -> usize {
        for shift in 0..VALUES.len() {
            let (mut a, mut b) = (V::zero(), V::zero());
            for lane in 0..V::COUNT {
                a.set(lane, VALUES[lane]);
                b.set(lane, VALUES[(lane + shift) % VALUES.len()]);
            }
            let results = V::vectorize(Compare(a, b));
            for lane in 0..V::COUNT {
                let expected = scalar(a.get(lane), b.get(lane));
                for (k, (got, expected)) in results.iter().zip(expected).enumerate() {
                    let got = got.get(lane);
                    let same = got.to_bits() == expected.to_bits();
                    assert!(same || got.is_nan() && expected.is_nan(), "{k}: {got} {expected}");
                }
            }
            assert_eq!(a.lt(a).bits(), 0);
            assert!(!V::Mask::none().any());
            assert_eq!(V::Mask::all_lanes().bits(), (1 << V::COUNT) - 1);
        }
        V::COUNT
    }
}

#[test]
fn lanes_compute_as_scalars() {
    for set in [InstructionSet::Avx512, InstructionSet::Avx2, InstructionSet::Portable] {
        if set.is_supported() {
            let count = with_lanes(Some(set), Check);
            assert_eq!(count, if set == InstructionSet::Avx512 { 8 } else { 4 });
        }
    }
    assert!(with_lanes(None, Check) >= 4);
}

#[test]
fn four_lanes_load_and_store_slices_of_any_length() {
    struct Negate<'a>(&'a mut [f64]);
    impl FourLanes for Negate<'_> {
        type Output = usize;
        #[inline(always)]
        fn run<V: Lanes>(self) -> usize {
            let (chunks, rest) = self.0.as_chunks_mut::<4>();
            for chunk in chunks {
                (-V::load(chunk)).store(chunk);
            }
            (-V::load_padded(rest)).store(rest);
            V::COUNT
        }
    }
    let mut x: [f64; 11] = std::array::from_fn(|k| k as f64);
    for len in 0..=x.len() {
        assert_eq!(with_four_lanes(Negate(&mut x[..len])), 4);
        let signs = x.iter().enumerate().map(|(k, &x)| x == -(k as f64));
        assert_eq!(signs.filter(|&negative| negative).count(), len.max(1));
        with_four_lanes(Negate(&mut x[..len]));
    }
}
