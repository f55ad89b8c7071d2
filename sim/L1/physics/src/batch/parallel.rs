//! Distribution of the environments of a batch over threads, without allocation.

/// Rows of values, one per environment, that can be split between threads: a slice has one value per
/// environment, [`Chunks`] and [`ChunksMut`] have several, and a tuple combines rows.
pub trait Rows: Send + Sized {
    /// Splits the rows before row `mid`.
    fn split_rows(self, mid: usize) -> (Self, Self);
}

impl<T: Sync> Rows for &[T] {
    fn split_rows(self, mid: usize) -> (Self, Self) {
        self.split_at(mid)
    }
}

impl<T: Send> Rows for &mut [T] {
    fn split_rows(self, mid: usize) -> (Self, Self) {
        self.split_at_mut(mid)
    }
}

/// Rows of `width` values that are read.
#[derive(Debug, Clone, Copy)]
pub struct Chunks<'a, T> {
    /// The values, row-major.
    pub values: &'a [T],
    /// Number of values in a row.
    pub width: usize,
}

impl<T: Sync> Rows for Chunks<'_, T> {
    fn split_rows(self, mid: usize) -> (Self, Self) {
        let (left, right) = self.values.split_at(mid * self.width);
        (Self { values: left, ..self }, Self { values: right, ..self })
    }
}

/// Rows of `width` values that are written.
#[derive(Debug)]
pub struct ChunksMut<'a, T> {
    /// The values, row-major.
    pub values: &'a mut [T],
    /// Number of values in a row.
    pub width: usize,
}

impl<T: Send> Rows for ChunksMut<'_, T> {
    fn split_rows(self, mid: usize) -> (Self, Self) {
        let (left, right) = self.values.split_at_mut(mid * self.width);
        let width = self.width;
        (Self { values: left, width }, Self { values: right, width })
    }
}

impl Rows for () {
    fn split_rows(self, _: usize) -> (Self, Self) {
        ((), ())
    }
}

macro_rules! tuple_of_rows {
    ($($name:ident)*) => {
        impl<$($name: Rows),*> Rows for ($($name,)*) {
            #[expect(non_snake_case, reason = "a variable is named after its type parameter")]
            fn split_rows(self, mid: usize) -> (Self, Self) {
                let ($($name,)*) = self;
                $(let $name = $name.split_rows(mid);)*
                (($($name.0,)*), ($($name.1,)*))
            }
        }
    };
}

tuple_of_rows!(A B);
tuple_of_rows!(A B C);
tuple_of_rows!(A B C D);
tuple_of_rows!(A B C D E);
tuple_of_rows!(A B C D E F);
tuple_of_rows!(A B C D E F G);
tuple_of_rows!(A B C D E F G H);

/// The threads that step a batch.
pub(super) enum Threads {
    /// Rayon's global pool.
    Global,
    /// The calling thread alone.
    Caller,
    /// A pool of the batch's own.
    Own(rayon::ThreadPool),
}

impl Threads {
    /// Number of threads.
    pub(super) fn count(&self) -> usize {
        match self {
            Self::Global => rayon::current_num_threads(),
            Self::Caller => 1,
            Self::Own(pool) => pool.current_num_threads(),
        }
    }

    /// Calls `work` with each of the first `count` rows.
    pub(super) fn for_each<R: Rows>(&self, count: usize, rows: R, work: impl Fn(R) + Send + Sync) {
        /// Tasks per thread: enough to balance the load when steps take different times.
        const TASKS_PER_THREAD: usize = 16;
        let grain = count.div_ceil(TASKS_PER_THREAD * self.count()).max(1);
        match self {
            Self::Global => split(count, rows, grain, &work),
            Self::Caller => sequential(count, rows, &work),
            Self::Own(pool) => pool.install(|| split(count, rows, grain, &work)),
        }
    }

    /// Calls `work` with contiguous parts of the first `count` rows and their lengths. Parts start at multiples of
    /// `multiple` and are as long as the balance of the load allows.
    pub(super) fn for_each_part<R: Rows>(
        &self,
        count: usize,
        multiple: usize,
        rows: R,
        work: impl Fn(usize, R) + Send + Sync,
    ) {
        /// Tasks per thread.
        const TASKS_PER_THREAD: usize = 4;
        let grain = count.div_ceil(TASKS_PER_THREAD * self.count()).max(multiple);
        match self {
            Self::Global => split_parts(count, multiple, rows, grain, &work),
            Self::Caller => work(count, rows),
            Self::Own(pool) => {
                pool.install(|| split_parts(count, multiple, rows, grain, &work));
            }
        }
    }
}

/// Halves the rows at multiples of `multiple` until there are at most `grain`.
pub(super) fn split_parts<R: Rows>(
    count: usize,
    multiple: usize,
    rows: R,
    grain: usize,
    work: &(impl Fn(usize, R) + Send + Sync),
) {
    let mid = (count / 2).next_multiple_of(multiple.max(1));
    if count <= grain || mid >= count {
        return work(count, rows);
    }
    let (left, right) = rows.split_rows(mid);
    rayon::join(
        || split_parts(mid, multiple, left, grain, work),
        || split_parts(count - mid, multiple, right, grain, work),
    );
}

/// Halves the rows until there are at most `grain`.
fn split<R: Rows>(count: usize, rows: R, grain: usize, work: &(impl Fn(R) + Send + Sync)) {
    if count <= grain {
        return sequential(count, rows, work);
    }
    let mid = count / 2;
    let (left, right) = rows.split_rows(mid);
    rayon::join(|| split(mid, left, grain, work), || split(count - mid, right, grain, work));
}

fn sequential<R: Rows>(count: usize, mut rows: R, work: &impl Fn(R)) {
    for _ in 0..count {
        let (row, rest) = rows.split_rows(1);
        work(row);
        rows = rest;
    }
}
