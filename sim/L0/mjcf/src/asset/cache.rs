//! Least-recently-used cache of compiled assets, shared between models (mjCCache).

use super::content_type::{ImageFormat, MeshFormat};
use super::hfield::HField;
use super::image::{Image, ImageOptions};
use super::mesh::{Mesh, MeshInertia, MeshOptions};
use std::any::Any;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Default capacity of a cache, in bytes.
pub const DEFAULT_CAPACITY: usize = 500 * 1024 * 1024;

/// Cache key: source file, version of its content and every parameter that affects the result.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct AssetKey {
    source: String,
    version: u64,
    kind: Kind,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Kind {
    Mesh {
        format: MeshFormat,
        frame: [u64; 10],
        flags: [bool; 3],
        maxhullvert: Option<usize>,
        inertia: MeshInertia,
    },
    Image(ImageFormat, ImageOptions),
    HField(ImageFormat),
}

impl AssetKey {
    /// Key of a mesh from the file `source`; `version` identifies its content (hash or modification
    /// time).
    #[must_use]
    pub fn mesh(source: &str, version: u64, format: MeshFormat, options: &MeshOptions) -> Self {
        let mut frame = [0; 10];
        let numbers = options.scale.iter().chain(&options.refpos).chain(&options.refquat);
        for (bits, x) in frame.iter_mut().zip(numbers) {
            *bits = x.to_bits();
        }
        let kind = Kind::Mesh {
            format,
            frame,
            flags: [options.smoothnormal, options.need_hull, options.need_sdf],
            maxhullvert: options.maxhullvert,
            inertia: options.inertia,
        };
        Self { source: source.to_owned(), version, kind }
    }

    /// Key of an image from the file `source`.
    #[must_use]
    pub fn image(source: &str, version: u64, format: ImageFormat, options: ImageOptions) -> Self {
        Self { source: source.to_owned(), version, kind: Kind::Image(format, options) }
    }

    /// Key of a height field from the file `source`.
    #[must_use]
    pub fn hfield(source: &str, version: u64, format: ImageFormat) -> Self {
        Self { source: source.to_owned(), version, kind: Kind::HField(format) }
    }
}

/// An asset that a cache can store.
pub trait CachedAsset: Any + Send + Sync {
    /// Memory used by the asset, in bytes.
    fn size_bytes(&self) -> usize;
}

impl CachedAsset for Mesh {
    fn size_bytes(&self) -> usize {
        Self::size_bytes(self)
    }
}

impl CachedAsset for Image {
    fn size_bytes(&self) -> usize {
        Self::size_bytes(self)
    }
}

impl CachedAsset for HField {
    fn size_bytes(&self) -> usize {
        Self::size_bytes(self)
    }
}

struct Entry {
    asset: Arc<dyn Any + Send + Sync>,
    size: usize,
    used: u64,
}

#[derive(Default)]
struct Store {
    entries: HashMap<AssetKey, Entry>,
    /// Keys ordered by time of last use.
    order: BTreeMap<u64, AssetKey>,
    clock: u64,
    size: usize,
    capacity: usize,
}

impl Store {
    fn remove(&mut self, key: &AssetKey) {
        if let Some(entry) = self.entries.remove(key) {
            self.order.remove(&entry.used);
            self.size -= entry.size;
        }
    }

    /// Evicts the least recently used entries until `room` bytes are free.
    fn evict(&mut self, room: usize) {
        while self.size.saturating_add(room) > self.capacity {
            let Some((_, key)) = self.order.first_key_value() else {
                break;
            };
            let key = key.clone();
            self.remove(&key);
        }
    }
}

/// Cache of compiled assets with a capacity in bytes; the least recently used are evicted first.
///
/// A cache can be shared between threads. There is no global cache: the caller owns it.
pub struct AssetCache(Mutex<Store>);

impl Default for AssetCache {
    fn default() -> Self {
        Self::new(DEFAULT_CAPACITY)
    }
}

impl std::fmt::Debug for AssetCache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let store = self.store();
        f.debug_struct("AssetCache")
            .field("entries", &store.entries.len())
            .field("size", &store.size)
            .field("capacity", &store.capacity)
            .finish()
    }
}

impl AssetCache {
    /// An empty cache that holds up to `capacity` bytes.
    #[must_use]
    pub fn new(capacity: usize) -> Self {
        Self(Mutex::new(Store { capacity, ..Store::default() }))
    }

    /// Locks the store. Its updates cannot panic halfway, so a poisoned lock is still consistent.
    fn store(&self) -> MutexGuard<'_, Store> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Capacity in bytes.
    #[must_use]
    pub fn capacity(&self) -> usize {
        self.store().capacity
    }

    /// Sets the capacity in bytes and evicts what no longer fits.
    pub fn set_capacity(&self, capacity: usize) {
        let mut store = self.store();
        store.capacity = capacity;
        store.evict(0);
    }

    /// Total size of the cached assets, in bytes.
    #[must_use]
    pub fn size(&self) -> usize {
        self.store().size
    }

    /// Removes all entries.
    pub fn clear(&self) {
        let mut store = self.store();
        *store = Store { capacity: store.capacity, ..Store::default() };
    }

    /// The asset stored under `key`, which becomes the most recently used.
    #[must_use]
    pub fn get<T: CachedAsset>(&self, key: &AssetKey) -> Option<Arc<T>> {
        let mut store = self.store();
        store.clock += 1;
        let now = store.clock;
        let entry = store.entries.get_mut(key)?;
        let asset = Arc::clone(&entry.asset).downcast::<T>().ok()?;
        let before = std::mem::replace(&mut entry.used, now);
        if let Some(key) = store.order.remove(&before) {
            store.order.insert(now, key);
        }
        Some(asset)
    }

    /// Stores an asset, replacing one with the same key. Returns false if it exceeds the capacity.
    pub fn insert<T: CachedAsset>(&self, key: AssetKey, asset: Arc<T>) -> bool {
        let size = asset.size_bytes();
        let mut store = self.store();
        store.remove(&key);
        if size > store.capacity {
            return false;
        }
        store.evict(size);
        store.clock += 1;
        let used = store.clock;
        store.size += size;
        store.order.insert(used, key.clone());
        store.entries.insert(key, Entry { asset, size, used });
        true
    }
}
