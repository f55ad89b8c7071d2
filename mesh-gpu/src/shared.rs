//! Buffers whose memory another API on the same GPU, such as CUDA, can import. They need Vulkan on Linux.

use crate::{Buffer, Context, GpuError};
use bytemuck::Pod;

/// Handle of exported memory.
#[cfg(target_os = "linux")]
pub type MemoryHandle = std::os::fd::OwnedFd;
/// Handle of exported memory. Memory is exported on Linux only.
#[cfg(not(target_os = "linux"))]
pub type MemoryHandle = std::convert::Infallible;

/// Memory of a buffer that was exported to other APIs.
#[derive(Debug)]
pub struct SharedMemory {
    #[cfg_attr(
        not(target_os = "linux"),
        allow(dead_code, reason = "values of this type do not exist on other systems")
    )]
    pub(crate) handle: MemoryHandle,
    pub(crate) bytes: u64,
    pub(crate) dedicated: bool,
}

impl SharedMemory {
    /// Size of the allocation in bytes. The buffer begins at its start.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the allocation is dedicated to the buffer, which the API that imports it has to know.
    pub fn dedicated(&self) -> bool {
        self.dedicated
    }

    /// A new handle of the memory: on Linux an opaque file descriptor of Vulkan
    /// (`VK_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD_BIT`).
    ///
    /// # Errors
    ///
    /// If the process cannot open another file.
    #[cfg(target_os = "linux")]
    pub fn handle(&self) -> std::io::Result<MemoryHandle> {
        self.handle.try_clone()
    }
}

impl<T: Pod> Buffer<T> {
    /// A buffer of zeros whose memory other APIs can import, see [`Buffer::shared_memory`].
    ///
    /// Accesses are not synchronised: wait for the work of one API before the other uses the buffer.
    ///
    /// # Errors
    ///
    /// [`GpuError::Unsupported`] if the device cannot export memory, and as [`Buffer::zeros`].
    pub fn shared_zeros(gpu: &Context, label: &str, len: usize) -> Result<Self, GpuError> {
        let bytes = Self::binding_bytes(gpu, label, len)?;
        let (raw, memory) = allocate(gpu, label, bytes)
            .map_err(|what| GpuError::Unsupported { adapter: gpu.name().into(), what })?;
        // memory from the driver is not initialised
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        encoder.clear_buffer(&raw, 0, None);
        gpu.queue.submit([encoder.finish()]);
        Ok(Self::from_parts(raw, label, len, Some(memory)))
    }
}

#[cfg(not(target_os = "linux"))]
fn allocate(_: &Context, _: &str, _: u64) -> Result<(wgpu::Buffer, SharedMemory), String> {
    Err("memory is exported to other APIs on Linux only".to_owned())
}

#[cfg(target_os = "linux")]
use vulkan::allocate;

#[cfg(target_os = "linux")]
mod vulkan {
    //! Allocation and export by calls of Vulkan.
    #![allow(unsafe_code, reason = "memory is allocated and exported by calls of Vulkan")]

    use super::SharedMemory;
    use crate::{Buffer, Context};
    use ash::{khr, vk};
    use std::os::fd::{FromRawFd, OwnedFd};
    use wgpu::hal::{api, vulkan as hal};

    const OPAQUE_FD: vk::ExternalMemoryHandleTypeFlags =
        vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;
    const USAGE: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
        vk::BufferUsageFlags::STORAGE_BUFFER.as_raw()
            | vk::BufferUsageFlags::TRANSFER_SRC.as_raw()
            | vk::BufferUsageFlags::TRANSFER_DST.as_raw(),
    );

    impl Context {
        /// Identifier of the GPU, which is the same in all APIs. `None` if the backend is not Vulkan 1.1.
        pub fn device_uuid(&self) -> Option<[u8; 16]> {
            // SAFETY: the device is only queried for its handles.
            let device = unsafe { self.device.as_hal::<api::Vulkan>() }?;
            if device.shared_instance().instance_api_version() < vk::API_VERSION_1_1 {
                return None;
            }
            let instance = device.shared_instance().raw_instance();
            let mut ids = vk::PhysicalDeviceIDProperties::default();
            let mut properties = vk::PhysicalDeviceProperties2::default().push_next(&mut ids);
            // SAFETY: the physical device belongs to the instance, which has version 1.1.
            unsafe {
                instance
                    .get_physical_device_properties2(device.raw_physical_device(), &mut properties);
            }
            Some(ids.device_uuid)
        }
    }

    /// A buffer and its memory, released if they are not handed over.
    struct Allocation<'a> {
        device: &'a ash::Device,
        buffer: vk::Buffer,
        memory: vk::DeviceMemory,
    }

    impl Drop for Allocation<'_> {
        fn drop(&mut self) {
            // SAFETY: nothing uses the handles; null handles are ignored.
            unsafe {
                self.device.destroy_buffer(self.buffer, None);
                self.device.free_memory(self.memory, None);
            }
        }
    }

    pub(super) fn allocate(
        gpu: &Context,
        label: &str,
        bytes: u64,
    ) -> Result<(wgpu::Buffer, SharedMemory), String> {
        let (buffer, memory) = {
            // SAFETY: the device is only used to create objects that are handed to wgpu below.
            let device = unsafe { gpu.device.as_hal::<api::Vulkan>() };
            let device = device.ok_or("its backend is not Vulkan")?;
            export(&device, bytes)?
        };
        let descriptor = wgpu::BufferDescriptor {
            label: Some(label),
            size: bytes,
            usage: Buffer::<u8>::USAGE,
            mapped_at_creation: false,
        };
        // SAFETY: the buffer was created with this device, size and usage; it is cleared before its first use.
        let raw = unsafe { gpu.device.create_buffer_from_hal::<api::Vulkan>(buffer, &descriptor) };
        Ok((raw, memory))
    }

    fn export(device: &hal::Device, bytes: u64) -> Result<(hal::Buffer, SharedMemory), String> {
        let extension = khr::external_memory_fd::NAME;
        if !device.enabled_device_extensions().contains(&extension)
            || device.shared_instance().instance_api_version() < vk::API_VERSION_1_1
        {
            return Err("its driver does not have the extension VK_KHR_external_memory_fd".into());
        }
        let failed = |what: &'static str| move |code: vk::Result| format!("{what} failed: {code}");
        let raw = device.raw_device();
        let instance = device.shared_instance().raw_instance();
        let physical = device.raw_physical_device();
        let dedicated = is_dedicated(instance, physical)?;
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(OPAQUE_FD);
        let create =
            vk::BufferCreateInfo::default().size(bytes).usage(USAGE).push_next(&mut external);
        // SAFETY: the structures are valid, and the device outlives this function.
        let buffer = unsafe { raw.create_buffer(&create, None) }.map_err(failed("a buffer"))?;
        let mut owned = Allocation { device: raw, buffer, memory: vk::DeviceMemory::null() };
        // SAFETY: the buffer belongs to the device.
        let requirements = unsafe { raw.get_buffer_memory_requirements(buffer) };
        // SAFETY: the physical device belongs to the instance.
        let properties = unsafe { instance.get_physical_device_memory_properties(physical) };
        let local = vk::MemoryPropertyFlags::DEVICE_LOCAL;
        let kind = properties.memory_types_as_slice().iter().enumerate().position(|(k, kind)| {
            requirements.memory_type_bits & (1 << k) != 0 && kind.property_flags.contains(local)
        });
        let kind = kind.ok_or("it has no memory on the device that can be exported")?;
        let mut only = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer);
        let mut export = vk::ExportMemoryAllocateInfo::default().handle_types(OPAQUE_FD);
        let mut allocate = vk::MemoryAllocateInfo::default()
            .allocation_size(requirements.size)
            .memory_type_index(kind as u32)
            .push_next(&mut export);
        if dedicated {
            allocate = allocate.push_next(&mut only);
        }
        // SAFETY: the structures are valid, the memory has the size and a type that the buffer requires, and the file
        // descriptor is new.
        let handle = unsafe {
            owned.memory = raw.allocate_memory(&allocate, None).map_err(failed("an allocation"))?;
            raw.bind_buffer_memory(buffer, owned.memory, 0).map_err(failed("binding memory"))?;
            let request =
                vk::MemoryGetFdInfoKHR::default().memory(owned.memory).handle_type(OPAQUE_FD);
            let functions = khr::external_memory_fd::Device::new(instance, raw);
            let fd = functions.get_memory_fd(&request).map_err(failed("exporting memory"))?;
            OwnedFd::from_raw_fd(fd)
        };
        // SAFETY: buffer and memory are not released here, but by wgpu.
        let buffer = unsafe {
            hal::Buffer::from_raw_managed(owned.buffer, owned.memory, 0, requirements.size)
        };
        std::mem::forget(owned);
        Ok((buffer, SharedMemory { handle, bytes: requirements.size, dedicated }))
    }

    /// Whether exported memory has to be dedicated to one buffer.
    fn is_dedicated(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
    ) -> Result<bool, String> {
        let info =
            vk::PhysicalDeviceExternalBufferInfo::default().usage(USAGE).handle_type(OPAQUE_FD);
        let mut properties = vk::ExternalBufferProperties::default();
        // SAFETY: the physical device belongs to the instance, which has version 1.1.
        unsafe {
            instance.get_physical_device_external_buffer_properties(
                physical,
                &info,
                &mut properties,
            );
        }
        let features = properties.external_memory_properties.external_memory_features;
        if !features.contains(vk::ExternalMemoryFeatureFlags::EXPORTABLE) {
            return Err("its driver does not export the memory of storage buffers".into());
        }
        Ok(features.contains(vk::ExternalMemoryFeatureFlags::DEDICATED_ONLY))
    }
}

#[cfg(not(target_os = "linux"))]
impl Context {
    /// Identifier of the GPU, which is the same in all APIs. Available on Linux only.
    pub fn device_uuid(&self) -> Option<[u8; 16]> {
        None
    }
}
