//! The asset cache.

use sim_mjcf::asset::cache::DEFAULT_CAPACITY;
use sim_mjcf::asset::{
    AssetCache, AssetKey, HField, Image, ImageFormat, ImageOptions, Mesh, MeshFormat, MeshOptions,
};
use std::sync::Arc;

fn image(bytes: usize) -> Arc<Image> {
    Arc::new(Image { width: bytes, height: 1, nchannel: 1, srgb: false, data: vec![0; bytes] })
}

fn key(name: &str) -> AssetKey {
    AssetKey::image(name, 0, ImageFormat::Png, ImageOptions::default())
}

#[test]
fn least_recently_used_entry_is_evicted_first() {
    let one = image(1000);
    let cache = AssetCache::new(3 * one.size_bytes());
    for name in ["a", "b", "c"] {
        assert!(cache.insert(key(name), image(1000)));
    }
    assert_eq!(cache.size(), 3 * one.size_bytes());
    assert!(cache.get::<Image>(&key("a")).is_some());
    assert!(cache.insert(key("d"), image(1000)));
    assert!(cache.get::<Image>(&key("b")).is_none(), "b was used before a");
    for name in ["a", "c", "d"] {
        assert!(cache.get::<Image>(&key(name)).is_some());
    }
    cache.set_capacity(one.size_bytes());
    assert!(cache.get::<Image>(&key("d")).is_some() && cache.size() == one.size_bytes());
    assert!(!cache.insert(key("e"), image(5000)), "larger than the cache");
    cache.clear();
    assert_eq!((cache.size(), cache.capacity()), (0, one.size_bytes()));
    assert_eq!(AssetCache::default().capacity(), DEFAULT_CAPACITY);
}

#[test]
fn keys_distinguish_all_relevant_parameters() {
    let cache = AssetCache::default();
    let options = MeshOptions::default();
    let mesh_key =
        |version, options: &MeshOptions| AssetKey::mesh("file", version, MeshFormat::Stl, options);
    cache.insert(mesh_key(1, &options), Arc::new(Mesh::default()));
    assert!(cache.get::<Mesh>(&mesh_key(1, &options)).is_some());
    assert!(cache.get::<Image>(&mesh_key(1, &options)).is_none(), "not an image");
    assert!(cache.get::<Mesh>(&mesh_key(2, &options)).is_none(), "the file has changed");
    for other in [
        MeshOptions { scale: [1.0, 1.0, 2.0], ..MeshOptions::default() },
        MeshOptions { need_hull: true, ..MeshOptions::default() },
        MeshOptions { maxhullvert: Some(9), ..MeshOptions::default() },
    ] {
        assert!(cache.get::<Mesh>(&mesh_key(1, &other)).is_none());
    }
    let field = AssetKey::hfield("file", 1, ImageFormat::Png);
    cache.insert(field.clone(), Arc::new(HField::default()));
    assert!(cache.get::<HField>(&field).is_some());
}

#[test]
fn insert_replaces_an_existing_entry() {
    let cache = AssetCache::default();
    cache.insert(key("a"), image(10));
    cache.insert(key("a"), image(20));
    assert_eq!(cache.size(), image(20).size_bytes());
    assert_eq!(cache.get::<Image>(&key("a")).expect("stored").width, 20);
}

#[test]
fn cache_is_shared_between_threads() {
    let cache = AssetCache::new(100 * image(100).size_bytes());
    std::thread::scope(|scope| {
        for t in 0..4 {
            let cache = &cache;
            scope.spawn(move || {
                for i in 0..200 {
                    let name = format!("{}", (i * 7 + t) % 150);
                    if cache.get::<Image>(&key(&name)).is_none() {
                        cache.insert(key(&name), image(100));
                    }
                }
            });
        }
    });
    assert!(cache.size() <= cache.capacity());
}
