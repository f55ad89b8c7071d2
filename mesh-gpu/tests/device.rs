//! Buffers, kernels, readback and timers on the available device; the tests fail without one.

use mesh_gpu::{Access, AdapterSelection, Buffer, Checks, Context, GpuError, Ring, Source, Timer};

const DOUBLE: &str = "
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read_write> b: array<f32>;
@compute @workgroup_size(32)
fn main(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    let i = (group.x + group.y * 65535u) * 32u + lane;
    if i < arrayLength(&a) { b[i] = 2.0 * a[i]; }
}";

fn gpu() -> Context {
    Context::new(&AdapterSelection::from_env()).expect("a driver; `mesa-vulkan-drivers` has one")
}

fn double(checks: Checks) -> Source<'static> {
    let bindings = &[Access::Read, Access::Write];
    Source { label: "double", wgsl: DOUBLE, entry: "main", bindings, checks }
}

#[test]
fn a_kernel_reads_and_writes_its_buffers() {
    let gpu = gpu();
    for checks in [Checks::All, Checks::Indices, Checks::None] {
        let kernel = gpu.kernel(&double(checks)).expect("compiles");
        let values: Vec<f32> = (0..1000).map(|k| k as f32).collect();
        let a = Buffer::from_slice(&gpu, "a", &values).expect("fits");
        let b = Buffer::<f32>::zeros(&gpu, "b", 1000).expect("fits");
        gpu.dispatch(&kernel, &[a.raw(), b.raw()], 32).expect("bound");
        let twice: Vec<f32> = values.iter().map(|v| 2.0 * v).collect();
        assert_eq!(b.read(&gpu).expect("read"), twice);
    }
}

#[test]
fn workgroups_beyond_one_dimension_are_split() {
    let gpu = gpu();
    let kernel = gpu.kernel(&double(Checks::All)).expect("compiles");
    let count = 32 * 70_000;
    let a = Buffer::from_slice(&gpu, "a", &vec![1.5_f32; count]).expect("fits");
    let b = Buffer::<f32>::zeros(&gpu, "b", count).expect("fits");
    gpu.dispatch(&kernel, &[a.raw(), b.raw()], 70_000).expect("bound");
    assert!(b.read(&gpu).expect("read").iter().all(|&v| v == 3.0));
}

#[test]
fn a_compile_error_has_a_source_location() {
    let wgsl = "@compute @workgroup_size(1) fn main() { let x: f32 = true; }";
    let source = Source { label: "bad", wgsl, entry: "main", bindings: &[], checks: Checks::All };
    match gpu().kernel(&source) {
        Err(GpuError::Kernel { label, message }) => {
            assert_eq!(label, "bad");
            assert!(message.contains("wgsl:1:"), "{message}");
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn lengths_beyond_a_buffer_are_errors() {
    let gpu = gpu();
    let a = Buffer::from_slice(&gpu, "a", &[1_u32, 2, 3]).expect("fits");
    assert!(matches!(a.write(&gpu, 2, &[1, 2]), Err(GpuError::Length { have: 4, want: 3, .. })));
    assert!(matches!(a.read_into(&gpu, &mut [0; 4]), Err(GpuError::Length { .. })));
    a.write(&gpu, 1, &[7, 8]).expect("fits");
    assert_eq!(a.read(&gpu).expect("read"), [1, 7, 8]);
    let huge = (gpu.binding_bytes() / 4 + 4096) as usize;
    assert!(matches!(Buffer::<u32>::zeros(&gpu, "h", huge), Err(GpuError::TooLarge { .. })));
    let kernel = gpu.kernel(&double(Checks::All)).expect("compiles");
    assert!(matches!(gpu.dispatch(&kernel, &[a.raw()], 1), Err(GpuError::Length { .. })));
}

#[test]
fn readbacks_complete_in_order() {
    let gpu = gpu();
    let a = Buffer::<u32>::zeros(&gpu, "a", 8).expect("fits");
    let mut ring = Ring::new(&gpu, 8, 2);
    let mut tickets = Vec::new();
    for round in 0..2 {
        a.write(&gpu, 0, &[round; 8]).expect("fits");
        tickets.push(ring.request(&gpu, &a).expect("requested").expect("room"));
    }
    assert_eq!(ring.request(&gpu, &a).expect("requested"), None, "the ring is full");
    let mut values = [9; 8];
    for round in 0..2 {
        let ticket = ring.fetch(&gpu, &mut values).expect("fetched").expect("one is there");
        assert_eq!((ticket, values), (tickets[round as usize], [round; 8]));
    }
    assert_eq!(ring.fetch(&gpu, &mut values).expect("fetched"), None);
    assert!(ring.request(&gpu, &a).expect("requested").is_some(), "staging buffers are reused");
    while ring.poll(&gpu, &mut values).expect("polled").is_none() {}
    assert_eq!(values, [1; 8]);
}

#[test]
fn a_run_is_timed_by_timestamp_queries() {
    let gpu = gpu();
    let Some(timer) = Timer::new(&gpu) else { return assert!(!gpu.has_timestamps()) };
    let kernel = gpu.kernel(&double(Checks::All)).expect("compiles");
    let a = Buffer::from_slice(&gpu, "a", &vec![1.0_f32; 32 * 1000]).expect("fits");
    let b = Buffer::<f32>::zeros(&gpu, "b", 32 * 1000).expect("fits");
    let binding = gpu.bind(&kernel, &[a.raw(), b.raw()]).expect("bound");
    gpu.run(&[(&kernel, 1000); 20], &binding, Some(&timer));
    let time = timer.elapsed(&gpu).expect("read");
    assert!(time.as_nanos() > 0 && time.as_secs() < 60, "{time:?}");
}

#[test]
fn an_unknown_adapter_name_is_an_error() {
    let selection =
        AdapterSelection { name: Some("no such GPU".into()), ..AdapterSelection::default() };
    let error = Context::new(&selection).expect_err("there is none");
    assert!(error.to_string().contains("no such GPU"), "{error}");
}

#[test]
fn concurrent_reads_return_their_own_buffers() {
    let gpu = gpu();
    std::thread::scope(|scope| {
        for k in 0..4_u32 {
            let gpu = &gpu;
            scope.spawn(move || {
                let buffer = Buffer::from_slice(gpu, "own", &[k; 64]).expect("fits");
                let mut ring = Ring::<u32>::new(gpu, 64, 1);
                let mut values = vec![0; 64];
                for _ in 0..300 {
                    assert_eq!(buffer.read(gpu).expect("read"), [k; 64]);
                    ring.request(gpu, &buffer).expect("requested");
                    ring.fetch(gpu, &mut values).expect("fetched");
                    assert_eq!(values, [k; 64]);
                }
            });
        }
    });
}

#[test]
fn exported_buffers_work_like_others() {
    let gpu = gpu();
    let a = match Buffer::<f32>::shared_zeros(&gpu, "a", 5) {
        Ok(buffer) => buffer,
        Err(error) => {
            assert!(matches!(error, GpuError::Unsupported { .. }), "{error}");
            return println!("skipped: {error}");
        }
    };
    assert_eq!(a.read(&gpu).expect("read"), [0.0; 5]);
    a.write(&gpu, 1, &[2.0, 3.0]).expect("fits");
    let b = Buffer::<f32>::zeros(&gpu, "b", 5).expect("fits");
    let kernel = gpu.kernel(&double(Checks::All)).expect("compiles");
    gpu.dispatch(&kernel, &[a.raw(), b.raw()], 1).expect("bound");
    assert_eq!(b.read(&gpu).expect("read"), [0.0, 4.0, 6.0, 0.0, 0.0]);
    assert!(b.shared_memory().is_none());
    let memory = a.shared_memory().expect("it was exported");
    assert!(memory.bytes() >= 20);
    #[cfg(target_os = "linux")]
    drop(memory.handle().expect("another handle"));
    assert!(gpu.device_uuid().is_some_and(|uuid| uuid != [0; 16]));
}
