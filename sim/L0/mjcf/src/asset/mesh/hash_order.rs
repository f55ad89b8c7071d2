//! Iteration order of a hash map from pairs of numbers, as in libc++ (std::unordered_map).
//!
//! MuJoCo lists the polygons of a mesh in the iteration order of such a map, so the order of its
//! arrays depends on the hash function, the bucket counts and the insertion rules of the library
//! that its binaries are built with.

/// End of the linked list, and an empty bucket.
const NONE: usize = usize::MAX;
/// Position before the first element of the linked list.
const ANCHOR: usize = 0;

/// Keys of a map, in a linked list in which the elements of a bucket are contiguous.
#[derive(Debug)]
pub(super) struct HashOrder {
    hashes: Vec<u64>,
    /// Successor of the anchor and of each element; element i is at position i + 1.
    next: Vec<usize>,
    /// Predecessor of the first element of each bucket.
    buckets: Vec<usize>,
}

impl HashOrder {
    pub(super) fn new() -> Self {
        Self { hashes: Vec::new(), next: vec![NONE], buckets: Vec::new() }
    }

    /// Inserts a key that is not in the map; its index is the number of keys before.
    pub(super) fn insert(&mut self, key: [f64; 2]) {
        let size = self.hashes.len();
        if size + 1 > self.buckets.len() {
            self.rehash(size + 1);
        }
        self.hashes.push(hash(key[0]) ^ hash(key[1]));
        let node = size + 1;
        self.next.push(NONE);
        let bucket = self.bucket(node);
        if self.buckets[bucket] == NONE {
            self.insert_after(ANCHOR, node);
            self.buckets[bucket] = ANCHOR;
            let second = self.next[node];
            if second != NONE {
                let of_second = self.bucket(second);
                self.buckets[of_second] = node;
            }
        } else {
            self.insert_after(self.buckets[bucket], node);
        }
    }

    /// Indices of the keys in iteration order.
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        let first = self.next[ANCHOR];
        let valid = |&node: &usize| node != NONE;
        std::iter::successors(Some(first).filter(valid), move |&node| {
            Some(self.next[node]).filter(valid)
        })
        .map(|node| node - 1)
    }

    fn insert_after(&mut self, before: usize, node: usize) {
        self.next[node] = self.next[before];
        self.next[before] = node;
    }

    fn bucket(&self, node: usize) -> usize {
        (self.hashes[node - 1] % self.buckets.len() as u64) as usize
    }

    /// Enlarges the table and regroups the elements.
    fn rehash(&mut self, least: usize) {
        let old = self.buckets.len();
        let power = old > 2 && old.is_power_of_two();
        let count = least.max(2 * old + usize::from(!power));
        let count = match count {
            1 => 2,
            n if n.is_power_of_two() => n,
            n => (n..).find(|&n| is_prime(n)).unwrap_or(n),
        };
        self.buckets.clear();
        self.buckets.resize(count, NONE);
        let mut last = self.next[ANCHOR];
        if last == NONE {
            return;
        }
        let mut previous = self.bucket(last);
        self.buckets[previous] = ANCHOR;
        while self.next[last] != NONE {
            let node = self.next[last];
            let bucket = self.bucket(node);
            if bucket != previous && self.buckets[bucket] != NONE {
                self.next[last] = self.next[node];
                self.insert_after(self.buckets[bucket], node);
                continue;
            }
            if bucket != previous {
                self.buckets[bucket] = last;
                previous = bucket;
            }
            last = node;
        }
    }
}

/// Hash of a number: its bit pattern, with equal values for both zeros.
fn hash(x: f64) -> u64 {
    if x == 0.0 { 0 } else { x.to_bits() }
}

fn is_prime(n: usize) -> bool {
    n >= 2 && (2..).take_while(|d| d * d <= n).all(|d| !n.is_multiple_of(d))
}

#[cfg(test)]
mod tests {
    use super::HashOrder;

    /// Distinct keys as rounded angles of a mesh.
    fn keys(count: i32) -> impl Iterator<Item = [f64; 2]> {
        (0..count).map(|i| [f64::from(i * 37 % 629 - 314), f64::from(i * 11 % 315)])
    }

    #[test]
    fn each_key_is_visited_once() {
        let mut order = HashOrder::new();
        for (n, key) in keys(300).enumerate() {
            order.insert(key);
            let mut visited: Vec<usize> = order.iter().collect();
            visited.sort_unstable();
            assert!(visited.into_iter().eq(0..=n));
        }
    }

    #[test]
    fn elements_of_a_bucket_are_contiguous() {
        let mut order = HashOrder::new();
        keys(300).for_each(|key| order.insert(key));
        let buckets: Vec<usize> = order.iter().map(|i| order.bucket(i + 1)).collect();
        let changes = 1 + buckets.windows(2).filter(|pair| pair[0] != pair[1]).count();
        let mut distinct = buckets;
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(changes, distinct.len());
    }

    #[test]
    fn key_in_an_empty_bucket_becomes_the_first() {
        let mut order = HashOrder::new();
        order.insert([0.0, 0.0]);
        order.insert([-0.0, f64::from_bits(1)]);
        assert!(order.iter().eq([1, 0]));
    }
}
