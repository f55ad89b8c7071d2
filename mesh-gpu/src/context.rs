//! The device: which adapter, which features and limits, and the kernels compiled on it.

use crate::{GpuError, Kernel};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock};

/// Which of several adapters to prefer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Power {
    /// The fastest.
    #[default]
    High,
    /// The one that saves energy.
    Low,
}

/// Which adapter to open.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Part of the adapter's name, in any case; any adapter if `None`.
    pub name: Option<String>,
    /// The preference among several.
    pub power: Power,
    /// Only an adapter that runs on the processor.
    pub software: bool,
}

impl Choice {
    /// The choice that the environment variable `MESH_GPU_ADAPTER` makes: part of a name.
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
    info: Arc<wgpu::AdapterInfo>,
    pub(crate) kernels: Arc<Mutex<HashMap<u64, Kernel>>>,
    /// The first thing that went wrong where nobody was there to be told.
    trouble: Arc<OnceLock<String>>,
}

/// What is used if the adapter has it.
const WANTED: wgpu::Features = wgpu::Features::SUBGROUP
    .union(wgpu::Features::SHADER_F64)
    .union(wgpu::Features::TIMESTAMP_QUERY);

impl Context {
    /// Opens the device that is chosen.
    ///
    /// # Errors
    ///
    /// [`GpuError::NoAdapter`] without a driver, [`GpuError::Device`] if it will not open.
    pub fn new(choice: &Choice) -> Result<Self, GpuError> {
        let adapter = pick(choice)?;
        let info = adapter.get_info();
        let features = adapter.features() & WANTED;
        let most = adapter.limits();
        let limits = wgpu::Limits {
            max_buffer_size: most.max_buffer_size,
            max_storage_buffer_binding_size: most.max_storage_buffer_binding_size,
            max_storage_buffers_per_shader_stage: most.max_storage_buffers_per_shader_stage,
            max_compute_workgroup_storage_size: most.max_compute_workgroup_storage_size,
            max_compute_invocations_per_workgroup: most.max_compute_invocations_per_workgroup,
            max_compute_workgroup_size_x: most.max_compute_workgroup_size_x,
            ..wgpu::Limits::downlevel_defaults().using_resolution(most.clone())
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
        // a device that is lost, or refuses something, is not to end the program: who waits next is told
        let trouble = Arc::new(OnceLock::new());
        let (lost, refused) = (trouble.clone(), trouble.clone());
        device.set_device_lost_callback(move |_, why| drop(lost.set(why)));
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            drop(refused.set(error.to_string()));
        }));
        Ok(Self { device, queue, info: Arc::new(info), kernels: Arc::default(), trouble })
    }

    /// Whether the device still works.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        match self.trouble.get() {
            Some(why) => Err(GpuError::Lost(why.clone())),
            None => Ok(()),
        }
    }

    /// The names of all adapters here.
    pub fn adapters() -> Vec<String> {
        let adapters = pollster::block_on(instance().enumerate_adapters(wgpu::Backends::PRIMARY));
        adapters.iter().map(|adapter| adapter.get_info().name).collect()
    }

    /// The adapter's name.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// The driver in words.
    pub fn driver(&self) -> String {
        format!("{} {}", self.info.driver, self.info.driver_info).trim().to_string()
    }

    /// Whether it runs on the processor.
    pub fn is_software(&self) -> bool {
        self.info.device_type == wgpu::DeviceType::Cpu
    }

    /// Whether the card is one of NVIDIA's.
    pub fn is_nvidia(&self) -> bool {
        self.info.vendor == 0x10de
    }

    /// The size of a subgroup, if every one has the same and kernels may use them.
    pub fn subgroup(&self) -> Option<u32> {
        let (least, most) = (self.info.subgroup_min_size, self.info.subgroup_max_size);
        let usable = self.device.features().contains(wgpu::Features::SUBGROUP);
        (usable && least == most).then_some(least)
    }

    /// Whether kernels may use `f64`.
    pub fn has_f64(&self) -> bool {
        self.device.features().contains(wgpu::Features::SHADER_F64)
    }

    /// Whether kernels can be timed on the device itself.
    pub fn has_timestamps(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Buffers that a kernel may bind.
    pub fn buffers(&self) -> usize {
        self.device.limits().max_storage_buffers_per_shader_stage as usize
    }

    /// Bytes that one workgroup may share.
    pub fn workgroup_bytes(&self) -> usize {
        self.device.limits().max_compute_workgroup_storage_size as usize
    }

    /// Bytes that one binding may have.
    pub fn binding_bytes(&self) -> u64 {
        let limits = self.device.limits();
        limits.max_storage_buffer_binding_size.min(limits.max_buffer_size)
    }

    /// Waits until everything submitted is done.
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
}

fn instance() -> wgpu::Instance {
    let mut request = wgpu::InstanceDescriptor::new_without_display_handle();
    request.backends = wgpu::Backends::PRIMARY;
    request.flags = wgpu::InstanceFlags::empty();
    wgpu::Instance::new(request)
}

fn pick(choice: &Choice) -> Result<wgpu::Adapter, GpuError> {
    let instance = instance();
    let mut all = pollster::block_on(instance.enumerate_adapters(wgpu::Backends::PRIMARY));
    let names: Vec<String> = all.iter().map(|adapter| adapter.get_info().name).collect();
    all.retain(|adapter| fits(choice, &adapter.get_info()));
    // a card before a processor; among cards the larger or the smaller
    all.sort_by_key(|adapter| rank(choice.power, adapter.get_info().device_type));
    all.into_iter().next().ok_or_else(|| no_adapter(choice, &names))
}

fn fits(choice: &Choice, info: &wgpu::AdapterInfo) -> bool {
    let named = choice
        .name
        .as_ref()
        .is_none_or(|part| info.name.to_lowercase().contains(&part.to_lowercase()));
    named && (!choice.software || info.device_type == wgpu::DeviceType::Cpu)
}

fn rank(power: Power, kind: wgpu::DeviceType) -> u8 {
    match (kind, power) {
        (wgpu::DeviceType::DiscreteGpu, Power::High)
        | (wgpu::DeviceType::IntegratedGpu, Power::Low) => 0,
        (wgpu::DeviceType::DiscreteGpu | wgpu::DeviceType::IntegratedGpu, _) => 1,
        (wgpu::DeviceType::VirtualGpu, _) => 2,
        (wgpu::DeviceType::Other, _) => 3,
        (wgpu::DeviceType::Cpu, _) => 4,
    }
}

fn no_adapter(choice: &Choice, names: &[String]) -> GpuError {
    let mut wanted = String::new();
    if choice.software {
        wanted.push_str(" that runs on the processor");
    }
    if let Some(name) = &choice.name {
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
    use super::{Choice, Context, no_adapter};
    use crate::{Buffer, Checks, GpuError, Source};

    #[test]
    fn a_device_that_is_lost_is_an_error_not_a_panic() {
        let gpu = Context::new(&Choice::from_env()).expect("a driver");
        let before = Buffer::from_slice(&gpu, "before", &[1.0_f32]).expect("fits");
        gpu.device.destroy();
        assert!(matches!(gpu.wait(), Err(GpuError::Lost(_))));
        assert!(matches!(before.read(&gpu), Err(GpuError::Lost(_))));
        let after = Buffer::<f32>::zeros(&gpu, "after", 4).expect("nobody knows yet");
        after.write(&gpu, 0, &[1.0]).expect("nor here");
        let wgsl = "@compute @workgroup_size(1) fn main() {}";
        let source = Source { label: "k", wgsl, entry: "main", bindings: &[], checks: Checks::All };
        let error = gpu.kernel(&source).expect_err("it is lost");
        assert!(error.to_string().contains("the driver gave up"), "{error}");
    }

    #[test]
    fn without_a_driver_the_message_says_what_to_install() {
        let text = no_adapter(&Choice::default(), &[]).to_string();
        assert!(text.starts_with("no GPU driver was found: install one"), "{text}");
        assert!(text.contains("mesa-vulkan-drivers"), "{text}");
        assert!(!text.contains("there are"), "{text}");
    }

    #[test]
    fn a_name_that_nothing_has_lists_what_is_there() {
        let choice = Choice { name: Some("Voodoo".into()), ..Choice::default() };
        let text = no_adapter(&choice, &["llvmpipe".to_string()]).to_string();
        assert!(text.contains("whose name contains `Voodoo`"), "{text}");
        assert!(text.ends_with("there are: llvmpipe"), "{text}");
    }
}
