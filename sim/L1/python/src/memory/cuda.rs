//! Import of a GPU batch's memory into CUDA. The driver's library is loaded at run time, so that the package neither
//! needs CUDA to be built nor to be imported.

use libloading::Library;
use sim_physics::gpu::SharedMemory;
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::os::fd::AsRawFd;
use std::ptr::null_mut;
use std::sync::{Arc, OnceLock};

/// Name of the library that the driver installs.
const LIBRARY: &str = "libcuda.so.1";
/// `CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD`.
const OPAQUE_FD: c_int = 1;
/// `CUDA_EXTERNAL_MEMORY_DEDICATED`.
const DEDICATED: c_uint = 1;

/// `CUDA_EXTERNAL_MEMORY_HANDLE_DESC`.
#[repr(C)]
struct MemoryDescription {
    kind: c_int,
    /// A union of 16 bytes with the alignment of a pointer, of which the file descriptor is the first member.
    handle: [u64; 2],
    size: u64,
    flags: c_uint,
    reserved: [c_uint; 16],
}

/// `CUDA_EXTERNAL_MEMORY_BUFFER_DESC`.
#[repr(C)]
struct BufferDescription {
    offset: u64,
    size: u64,
    flags: c_uint,
    reserved: [c_uint; 16],
}

/// Declares the table of the functions that are used, with the names of their symbols.
macro_rules! functions {
    ($($name:ident = $symbol:literal: fn($($argument:ty),*);)*) => {
        struct Functions {
            $($name: unsafe extern "C" fn($($argument),*) -> c_int,)*
            /// Keeps the functions loaded.
            _library: Library,
        }

        impl Functions {
            fn load() -> Result<Self, String> {
                // SAFETY: the library of the driver has no initialisers with requirements.
                let library = unsafe { Library::new(LIBRARY) }
                    .map_err(|error| format!("CUDA is not available: {error}"))?;
                $(
                    // SAFETY: the type is that of the function in CUDA's driver interface.
                    let $name = unsafe {
                        *library
                            .get::<unsafe extern "C" fn($($argument),*) -> c_int>($symbol.as_bytes())
                            .map_err(|error| format!("the CUDA driver is too old: {error}"))?
                    };
                )*
                Ok(Self { $($name,)* _library: library })
            }
        }
    };
}

functions! {
    init = "cuInit": fn(c_uint);
    count = "cuDeviceGetCount": fn(*mut c_int);
    device = "cuDeviceGet": fn(*mut c_int, c_int);
    uuid = "cuDeviceGetUuid": fn(*mut [u8; 16], c_int);
    retain = "cuDevicePrimaryCtxRetain": fn(*mut *mut c_void, c_int);
    release = "cuDevicePrimaryCtxRelease_v2": fn(c_int);
    push = "cuCtxPushCurrent_v2": fn(*mut c_void);
    pop = "cuCtxPopCurrent_v2": fn(*mut *mut c_void);
    synchronize = "cuCtxSynchronize": fn();
    import = "cuImportExternalMemory": fn(*mut *mut c_void, *const MemoryDescription);
    map = "cuExternalMemoryGetMappedBuffer": fn(*mut u64, *mut c_void, *const BufferDescription);
    destroy = "cuDestroyExternalMemory": fn(*mut c_void);
    free = "cuMemFree_v2": fn(u64);
    error = "cuGetErrorString": fn(c_int, *mut *const c_char);
}

/// The functions of the driver, or why there are none.
fn functions() -> Result<&'static Functions, String> {
    static FUNCTIONS: OnceLock<Result<Functions, String>> = OnceLock::new();
    FUNCTIONS.get_or_init(Functions::load).as_ref().map_err(Clone::clone)
}

impl Functions {
    /// An error with the driver's explanation if the code of a result is not zero.
    fn check(&self, what: &str, code: c_int) -> Result<(), String> {
        if code == 0 {
            return Ok(());
        }
        let mut text: *const c_char = std::ptr::null();
        // SAFETY: the driver stores the address of a constant string, or null.
        let text = unsafe {
            (self.error)(code, &mut text);
            if text.is_null() { c"unknown error" } else { CStr::from_ptr(text) }
        };
        Err(format!("CUDA: {what}: {} ({code})", text.to_string_lossy()))
    }
}

/// A device of CUDA with its primary context, which is the one that PyTorch and other libraries use.
pub struct Cuda {
    functions: &'static Functions,
    /// Index of the device.
    ordinal: c_int,
    device: c_int,
    context: *mut c_void,
}

// SAFETY: contexts can be used by any thread that makes them current.
unsafe impl Send for Cuda {}
// SAFETY: as above.
unsafe impl Sync for Cuda {}

impl Cuda {
    /// Opens the device with the given identifier.
    ///
    /// # Errors
    /// A sentence that says why this is not possible.
    pub fn open(uuid: [u8; 16], adapter: &str) -> Result<Arc<Self>, String> {
        let functions = functions()?;
        let mut count = 0;
        // SAFETY: pointer arguments are valid for writes.
        functions.check("initialisation", unsafe { (functions.init)(0) })?;
        // SAFETY: as above.
        functions.check("number of devices", unsafe { (functions.count)(&mut count) })?;
        for ordinal in 0..count {
            let (mut device, mut id) = (0, [0; 16]);
            // SAFETY: as above.
            functions.check("device", unsafe { (functions.device)(&mut device, ordinal) })?;
            // SAFETY: as above.
            functions.check("identifier", unsafe { (functions.uuid)(&mut id, device) })?;
            if id == uuid {
                let mut context = null_mut();
                // SAFETY: as above; the context is released when the value is dropped.
                let code = unsafe { (functions.retain)(&mut context, device) };
                functions.check("context", code)?;
                return Ok(Arc::new(Self { functions, ordinal, device, context }));
            }
        }
        Err(format!("none of the {count} CUDA devices is the Vulkan adapter {adapter}"))
    }

    /// Index of the device.
    pub fn ordinal(&self) -> i32 {
        self.ordinal
    }

    /// Calls a function while the context is current.
    fn with<R>(&self, f: impl FnOnce() -> Result<R, String>) -> Result<R, String> {
        // SAFETY: the context is retained.
        self.functions.check("context", unsafe { (self.functions.push)(self.context) })?;
        let result = f();
        // SAFETY: the context was pushed above.
        unsafe { (self.functions.pop)(&mut null_mut()) };
        result
    }

    /// Waits until all work that was submitted to the device by CUDA is done.
    ///
    /// # Errors
    /// If the device failed.
    pub fn wait(&self) -> Result<(), String> {
        // SAFETY: the context is current.
        self.with(|| self.functions.check("waiting", unsafe { (self.functions.synchronize)() }))
    }

    /// Maps exported memory into the address space of the device.
    ///
    /// # Errors
    /// If the driver refuses it.
    pub fn map(self: &Arc<Self>, memory: &SharedMemory) -> Result<Mapping, String> {
        let handle = memory.handle().map_err(|error| format!("a file descriptor: {error}"))?;
        let fd = handle.as_raw_fd();
        let (f, size) = (self.functions, memory.bytes());
        let description = MemoryDescription {
            kind: OPAQUE_FD,
            // the first four bytes are the file descriptor
            handle: [u64::from((fd as u32).to_le()), 0],
            size,
            flags: if memory.dedicated() { DEDICATED } else { 0 },
            reserved: [0; 16],
        };
        let buffer = BufferDescription { offset: 0, size, flags: 0, reserved: [0; 16] };
        self.with(|| {
            let mut memory = null_mut();
            // SAFETY: the structures have the layout of CUDA's.
            f.check("importing memory", unsafe { (f.import)(&mut memory, &description) })?;
            // the import has taken over the file descriptor
            std::mem::forget(handle);
            let mut mapping = Mapping { cuda: self.clone(), handle: memory, address: 0 };
            // SAFETY: the buffer is the whole imported memory.
            let code = unsafe { (f.map)(&mut mapping.address, memory, &buffer) };
            f.check("mapping memory", code)?;
            Ok(mapping)
        })
    }
}

impl Drop for Cuda {
    fn drop(&mut self) {
        // SAFETY: every mapping holds a reference to this value, so nothing uses the context any more.
        unsafe { (self.functions.release)(self.device) };
    }
}

/// Memory of a batch in the address space of a CUDA device. It exists until this value is dropped, also after the batch.
pub struct Mapping {
    cuda: Arc<Cuda>,
    handle: *mut c_void,
    address: u64,
}

// SAFETY: addresses and handles of a context can be used by any thread.
unsafe impl Send for Mapping {}
// SAFETY: as above.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Address of the first byte on the device.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// CUDA context of the device that the memory is mapped to.
    pub fn cuda(&self) -> &Arc<Cuda> {
        &self.cuda
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        let f = self.cuda.functions;
        // errors cannot be reported here; the driver frees the memory when the process ends
        let _ = self.cuda.with(|| {
            // SAFETY: the caller of the last tensor has released it; a null address is not freed.
            unsafe {
                if self.address != 0 {
                    (f.free)(self.address);
                }
                (f.destroy)(self.handle);
            }
            Ok(())
        });
    }
}
