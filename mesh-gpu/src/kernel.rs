//! Compute kernels: compilation of WGSL, with a cache, and dispatch.

use crate::{Context, GpuError, Timer};
use std::hash::{DefaultHasher, Hash, Hasher};

/// How a kernel uses a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Access {
    /// Read only.
    Read,
    /// Read and write.
    Write,
}

/// WGSL source of a kernel and its bindings 0, 1, 2, … of group 0.
#[derive(Clone, Copy, Debug, Hash)]
pub struct Source<'a> {
    /// Name in error messages.
    pub label: &'a str,
    /// The WGSL source.
    pub wgsl: &'a str,
    /// The entry point.
    pub entry: &'a str,
    /// Access of each binding, in order.
    pub bindings: &'a [Access],
    /// Runtime checks.
    pub checks: Checks,
}

/// Runtime checks of a kernel. Violations of omitted checks are undefined behaviour: only for trusted sources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Checks {
    /// Indices are in range and loops terminate.
    #[default]
    All,
    /// Indices are in range. Loop iterations are not counted, which saves instructions.
    Indices,
    /// No checks.
    None,
}

/// A compiled kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    pipeline: wgpu::ComputePipeline,
    layout: wgpu::BindGroupLayout,
    bindings: usize,
}

/// Buffers bound to a kernel, for repeated dispatch.
#[derive(Clone, Debug)]
pub struct Binding {
    group: wgpu::BindGroup,
}

/// Most workgroups in one dimension of a dispatch.
const MAX_WORKGROUPS: u32 = 65_535;

impl Context {
    /// Compiles a kernel, or returns it from the cache.
    ///
    /// # Errors
    ///
    /// [`GpuError::Kernel`] with the compiler's message.
    pub fn kernel(&self, source: &Source<'_>) -> Result<Kernel, GpuError> {
        let mut hasher = DefaultHasher::new();
        source.hash(&mut hasher);
        let key = hasher.finish();
        // poisoned only if compiling another kernel panicked; the map stays valid
        let mut kernels = self.kernels.lock().unwrap_or_else(|poison| poison.into_inner());
        if let Some(kernel) = kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let kernel = self.compile(source)?;
        kernels.insert(key, kernel.clone());
        Ok(kernel)
    }

    fn compile(&self, source: &Source<'_>) -> Result<Kernel, GpuError> {
        let scope = self.device.push_error_scope(wgpu::ErrorFilter::Validation);
        let descriptor = wgpu::ShaderModuleDescriptor {
            label: Some(source.label),
            source: wgpu::ShaderSource::Wgsl(source.wgsl.into()),
        };
        let module = match source.checks {
            Checks::All => self.device.create_shader_module(descriptor),
            _ => trusted(&self.device, descriptor, source.checks == Checks::Indices),
        };
        let entries: Vec<_> = (0..).zip(source.bindings).map(|(k, &a)| entry(k, a)).collect();
        let layout = self.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some(source.label),
            entries: &entries,
        });
        let whole = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(source.label),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = self.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: Some(source.label),
            layout: Some(&whole),
            module: &module,
            entry_point: Some(source.entry),
            compilation_options: wgpu::PipelineCompilationOptions {
                zero_initialize_workgroup_memory: false,
                ..Default::default()
            },
            cache: None,
        });
        let error = pollster::block_on(scope.pop()).map(|error| error.to_string());
        // other compilation failures of the driver lose the device
        let lost =
            self.check().err().map(|error| format!("the driver failed to compile it: {error}"));
        match error.or(lost) {
            None => Ok(Kernel { pipeline, layout, bindings: source.bindings.len() }),
            Some(message) => Err(GpuError::Kernel { label: source.label.to_string(), message }),
        }
    }

    /// Binds buffers to a kernel.
    ///
    /// # Errors
    ///
    /// [`GpuError::Length`] if the kernel has more or fewer bindings.
    pub fn bind(&self, kernel: &Kernel, buffers: &[&wgpu::Buffer]) -> Result<Binding, GpuError> {
        if buffers.len() != kernel.bindings {
            let (have, want) = (buffers.len(), kernel.bindings);
            return Err(GpuError::Length { label: "bindings".into(), have, want });
        }
        let entries: Vec<_> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry {
                binding,
                resource: buffer.as_entire_binding(),
            })
            .collect();
        let group = self.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &kernel.layout,
            entries: &entries,
        });
        Ok(Binding { group })
    }

    /// Submits `groups` workgroups and returns immediately.
    ///
    /// A count beyond what one dimension holds is split over two: the workgroup index is
    /// `id.x + id.y * 65535`, and workgroups beyond the count must return.
    ///
    /// # Errors
    ///
    /// [`GpuError::Length`] as [`Context::bind`].
    pub fn dispatch(
        &self,
        kernel: &Kernel,
        buffers: &[&wgpu::Buffer],
        groups: u32,
    ) -> Result<(), GpuError> {
        let binding = self.bind(kernel, buffers)?;
        self.run(&[(kernel, groups)], &binding, None);
        Ok(())
    }

    /// Submits a number of workgroups of each kernel, one kernel after another, with the same bindings. Measures the
    /// total time if a timer is given.
    pub fn run(&self, kernels: &[(&Kernel, u32)], binding: &Binding, timer: Option<&Timer>) {
        let passes: Vec<_> =
            kernels.iter().map(|&(kernel, groups)| (kernel, groups, binding)).collect();
        self.run_all(&passes, timer);
    }

    /// Submits a number of workgroups of each kernel with its own bindings, one kernel after another. Measures the total
    /// time if a timer is given.
    pub fn run_all(&self, passes: &[(&Kernel, u32, &Binding)], timer: Option<&Timer>) {
        let mut encoder = self.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
                label: None,
                timestamp_writes: timer.map(Timer::writes),
            });
            for &(kernel, groups, binding) in passes {
                pass.set_pipeline(&kernel.pipeline);
                pass.set_bind_group(0, &binding.group, &[]);
                pass.dispatch_workgroups(
                    groups.min(MAX_WORKGROUPS),
                    groups.div_ceil(MAX_WORKGROUPS),
                    1,
                );
            }
        }
        if let Some(timer) = timer {
            timer.resolve(&mut encoder);
        }
        self.queue.submit([encoder.finish()]);
    }
}

fn entry(binding: u32, access: Access) -> wgpu::BindGroupLayoutEntry {
    wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: wgpu::BufferBindingType::Storage { read_only: access == Access::Read },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    }
}

#[allow(unsafe_code, reason = "the caller declares the source trusted by `Source::checks`")]
fn trusted(
    device: &wgpu::Device,
    descriptor: wgpu::ShaderModuleDescriptor<'_>,
    indices: bool,
) -> wgpu::ShaderModule {
    let mut checks = wgpu::ShaderRuntimeChecks::unchecked();
    checks.bounds_checks = indices;
    checks.int_div_checks = indices;
    // SAFETY: the caller guarantees that loops terminate and, without index checks, that indices are in range.
    unsafe { device.create_shader_module_trusted(descriptor, checks) }
}
