//! The device: adapter selection, features and limits, and the cache of compiled kernels.

use crate::{GpuError, Kernel};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

/// Longest time for which [`Context::wait_spinning`] keeps a core busy.
const SPIN: Duration = Duration::from_millis(5);

/// Preference among several adapters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PowerPreference {
    /// The fastest adapter: a discrete GPU.
    #[default]
    High,
    /// The most power-efficient adapter: an integrated GPU.
    Low,
}

/// Selects the adapter to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AdapterSelection {
    /// Substring of the adapter's name, ignoring case; any adapter if `None`.
    pub name: Option<String>,
    /// Preference among several adapters.
    pub power: PowerPreference,
    /// Only a software adapter, which runs on the CPU.
    pub software: bool,
}

impl AdapterSelection {
    /// Selection by the environment variable `MESH_GPU_ADAPTER`, a substring of the name.
    pub fn from_env() -> Self {
        let name = std::env::var("MESH_GPU_ADAPTER").ok().filter(|name| !name.is_empty());
        Self { name, ..Self::default() }
    }
}

/// A compute device and its queue. Cheap to clone: clones share the device.
#[derive(Clone, Debug)]
pub struct Context {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    instance: wgpu::Instance,
    adapter: wgpu::Adapter,
    info: Arc<wgpu::AdapterInfo>,
    pub(crate) kernels: Arc<Mutex<HashMap<u64, Kernel>>>,
    /// The first asynchronous error.
    failure: Arc<OnceLock<String>>,
}

/// Features that are enabled if the adapter has them.
const OPTIONAL_FEATURES: wgpu::Features = wgpu::Features::SUBGROUP
    .union(wgpu::Features::SHADER_F64)
    .union(wgpu::Features::TIMESTAMP_QUERY)
    .union(wgpu::Features::DEPTH32FLOAT_STENCIL8)
    .union(wgpu::Features::POLYGON_MODE_LINE)
    .union(wgpu::Features::INDIRECT_FIRST_INSTANCE);

impl Context {
    /// Opens the selected device.
    ///
    /// # Errors
    ///
    /// [`GpuError::NoAdapter`] without a matching driver, [`GpuError::Device`] if the device cannot be opened.
    pub fn new(selection: &AdapterSelection) -> Result<Self, GpuError> {
        let instance = instance();
        let adapter = pick(selection, &instance, None)?;
        Self::open(instance, adapter)
    }

    /// Opens the selected device among those that can present images in a window.
    ///
    /// # Errors
    ///
    /// [`GpuError::NoAdapter`] without a driver that matches the selection and the window,
    /// [`GpuError::Device`] if the device cannot be opened.
    pub fn for_window(
        selection: &AdapterSelection,
        window: impl Into<wgpu::SurfaceTarget<'static>>,
    ) -> Result<Self, GpuError> {
        let instance = instance();
        let surface = instance.create_surface(window).map_err(|error| GpuError::Device {
            adapter: "the surface of the window".to_owned(),
            why: error.to_string(),
        })?;
        let adapter = pick(selection, &instance, Some(&surface))?;
        drop(surface);
        Self::open(instance, adapter)
    }

    fn open(instance: wgpu::Instance, adapter: wgpu::Adapter) -> Result<Self, GpuError> {
        let info = adapter.get_info();
        let features = adapter.features() & OPTIONAL_FEATURES;
        let available = adapter.limits();
        let limits = wgpu::Limits {
            max_buffer_size: available.max_buffer_size,
            max_storage_buffer_binding_size: available.max_storage_buffer_binding_size,
            max_storage_buffers_per_shader_stage: available.max_storage_buffers_per_shader_stage,
            max_compute_workgroup_storage_size: available.max_compute_workgroup_storage_size,
            max_compute_invocations_per_workgroup: available.max_compute_invocations_per_workgroup,
            max_compute_workgroup_size_x: available.max_compute_workgroup_size_x,
            ..wgpu::Limits::downlevel_defaults().using_resolution(available.clone())
        };
        let request = wgpu::DeviceDescriptor {
            label: Some("mesh-gpu"),
            required_features: features,
            required_limits: limits,
            memory_hints: wgpu::MemoryHints::Performance,
            ..wgpu::DeviceDescriptor::default()
        };
        let (device, queue) =
            pollster::block_on(adapter.request_device(&request)).map_err(|error| {
                GpuError::Device { adapter: info.name.clone(), why: error.to_string() }
            })?;
        // a lost device or an uncaptured error must not abort the program: the next wait returns it
        let failure = Arc::new(OnceLock::new());
        let (lost, refused) = (failure.clone(), failure.clone());
        device.set_device_lost_callback(move |_, why| drop(lost.set(why)));
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            drop(refused.set(error.to_string()));
        }));
        let (info, kernels) = (Arc::new(info), Arc::default());
        Ok(Self { device, queue, instance, adapter, info, kernels, failure })
    }

    /// The instance of the device, to create surfaces of windows.
    pub fn instance(&self) -> &wgpu::Instance {
        &self.instance
    }

    /// The adapter of the device.
    pub fn adapter(&self) -> &wgpu::Adapter {
        &self.adapter
    }

    /// The underlying device, for rendering.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue of the device.
    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Returns the first asynchronous error.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        match self.failure.get() {
            Some(why) => Err(GpuError::Lost(why.clone())),
            None => Ok(()),
        }
    }

    /// Names of all adapters.
    pub fn adapters() -> Vec<String> {
        let adapters = pollster::block_on(instance().enumerate_adapters(wgpu::Backends::PRIMARY));
        adapters.iter().map(|adapter| adapter.get_info().name).collect()
    }

    /// The adapter's name.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// Name and version of the driver.
    pub fn driver(&self) -> String {
        format!("{} {}", self.info.driver, self.info.driver_info).trim().to_string()
    }

    /// Whether it is a software adapter, which runs on the CPU.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Whether the vendor is NVIDIA.
    pub fn is_nvidia(&self) -> bool {
        self.info.vendor == 0x10de
    }

    /// Size of subgroups, if it is fixed and kernels may use subgroup operations.
    pub fn subgroup_size(&self) -> Option<u32> {
        let (least, most) = (self.info.subgroup_min_size, self.info.subgroup_max_size);
        let usable = self.device.features().contains(wgpu::Features::SUBGROUP);
        (usable && least == most).then_some(least)
    }

    /// Whether kernels may use `f64`.
    pub fn has_f64(&self) -> bool {
        self.device.features().contains(wgpu::Features::SHADER_F64)
    }

    /// Whether the device has timestamp queries.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Storage buffers that a kernel may bind.
    pub fn max_storage_buffers(&self) -> usize {
        self.device.limits().max_storage_buffers_per_shader_stage as usize
    }

    /// Bytes of workgroup memory.
    pub fn workgroup_bytes(&self) -> usize {
        self.device.limits().max_compute_workgroup_storage_size as usize
    }

    /// Most invocations of a workgroup.
    pub fn max_workgroup_size(&self) -> usize {
        let limits = self.device.limits();
        limits.max_compute_invocations_per_workgroup.min(limits.max_compute_workgroup_size_x)
            as usize
    }

    /// Largest size of a binding in bytes.
    pub fn binding_bytes(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    /// Waits until all submitted work is done.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn wait(&self) -> Result<(), GpuError> {
        match self.device.poll(wgpu::PollType::wait_indefinitely()) {
            Ok(_) => self.check(),
            Err(error) => Err(GpuError::Lost(error.to_string())),
        }
    }

    /// Waits like [`wait`](Self::wait), but keeps a core busy for up to a few milliseconds, because a thread that
    /// blocks is woken up to a tenth of a millisecond late.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn wait_spinning(&self) -> Result<(), GpuError> {
        let start = Instant::now();
        while start.elapsed() < SPIN {
            match self.device.poll(wgpu::PollType::Poll) {
                Ok(status) if status.is_queue_empty() => return self.check(),
                Ok(_) => std::hint::spin_loop(),
                Err(error) => return Err(GpuError::Lost(error.to_string())),
            }
        }
        self.wait()
    }

    /// Waits until a submission is done. Later submissions may still be running.
    ///
    /// # Errors
    ///
    /// [`GpuError::Lost`] if the device has failed.
    pub fn wait_for(&self, submission: wgpu::SubmissionIndex) -> Result<(), GpuError> {
        let wait = wgpu::PollType::Wait { submission_index: Some(submission), timeout: None };
        match self.device.poll(wait) {
            Ok(_) => self.check(),
            Err(error) => Err(GpuError::Lost(error.to_string())),
        }
    }
}

fn instance() -> wgpu::Instance {
    let mut request = wgpu::InstanceDescriptor::new_without_display_handle();
    request.backends = wgpu::Backends::PRIMARY;
    request.flags = wgpu::InstanceFlags::empty();
    wgpu::Instance::new(request)
}

fn pick(
    selection: &AdapterSelection,
    instance: &wgpu::Instance,
    surface: Option<&wgpu::Surface<'_>>,
) -> Result<wgpu::Adapter, GpuError> {
    let mut all = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let names: Vec<String> = all.iter().map(|adapter| adapter.get_info().name).collect();
    all.retain(|adapter| {
        fits(selection, &adapter.get_info())
            && surface.is_none_or(|surface| adapter.is_surface_supported(surface))
    });
    // GPUs before software adapters
    all.sort_by_key(|adapter| rank(selection.power, adapter.get_info().device_type));
    all.into_iter().next().ok_or_else(|| no_adapter(selection, &names))
}

fn fits(selection: &AdapterSelection, info: &wgpu::AdapterInfo) -> bool {
    let named = selection
        .name
        .as_ref()
        .is_none_or(|part| info.name.to_lowercase().contains(&part.to_lowercase()));
    named && (!selection.software || info.device_type == wgpu::DeviceType::Cpu)
}

fn rank(power: PowerPreference, kind: wgpu::DeviceType) -> u8 {
    match (kind, power) {
        (wgpu::DeviceType::DiscreteGpu, PowerPreference::High)
        | (wgpu::DeviceType::IntegratedGpu, PowerPreference::Low) => 0,
        (wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::IntegratedGpu, _) => 1,
        (wgpu::DeviceType::VirtualGpu, _) => 2,
        (wgpu::DeviceType::Other, _) => 3,
        (wgpu::DeviceType::Cpu, _) => 4,
    }
}

fn no_adapter(selection: &AdapterSelection, names: &[String]) -> GpuError {
    let mut wanted = String::new();
    if selection.software {
        wanted.push_str(" that runs on the CPU");
    }
    if let Some(name) = &selection.name {
        wanted.push_str(&format!(" whose name contains `{name}`"));
    }
    let known = match names {
        [] => String::new(),
        _ => format!("; there are: {}", names.join(", ")),
    };
    GpuError::NoAdapter { wanted, known }
}

#[cfg(test)]
mod tests {
    use super::{AdapterSelection, Context, no_adapter};
    use crate::{Buffer, Checks, GpuError, Source};

    #[test]
    fn a_lost_device_is_an_error_and_does_not_panic() {
        let gpu = Context::new(&AdapterSelection::from_env()).expect("a driver");
        let before = Buffer::from_slice(&gpu, "before", &[1.0_f32]).expect("fits");
        gpu.device.destroy();
        assert!(matches!(gpu.wait(), Err(GpuError::Lost(_))));
        assert!(matches!(before.read(&gpu), Err(GpuError::Lost(_))));
        let after = Buffer::<f32>::zeros(&gpu, "after", 4).expect("errors are asynchronous");
        after.write(&gpu, 0, &[1.0]).expect("errors are asynchronous");
        let wgsl = "@compute @workgroup_size(1) fn main() {}";
        let source = Source { label: "k", wgsl, entry: "main", bindings: &[], checks: Checks::All };
        let error = gpu.kernel(&source).expect_err("it is lost");
        assert!(error.to_string().contains("the driver failed to compile it"), "{error}");
    }

    #[test]
    fn the_error_without_a_driver_names_packages_to_install() {
        let text = no_adapter(&AdapterSelection::default(), &[]).to_string();
        assert!(text.starts_with("no GPU driver was found: install one"), "{text}");
        assert!(text.contains("mesa-vulkan-drivers"), "{text}");
        assert!(!text.contains("there are"), "{text}");
    }

    #[test]
    fn an_unknown_adapter_name_lists_the_available_ones() {
        let selection =
            AdapterSelection { name: Some("Voodoo".into()), ..AdapterSelection::default() };
        let text = no_adapter(&selection, &["llvmpipe".to_string()]).to_string();
        assert!(text.contains("whose name contains `Voodoo`"), "{text}");
        assert!(text.ends_with("there are: llvmpipe"), "{text}");
    }
}
