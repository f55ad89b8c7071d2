//! Origins of elements for programs that convert specs to and from their own representation.

use super::{Compiler, Orientation, Origin, OriginRecord, Scope, Spec};
use crate::error::Location;

impl Spec {
    /// Adds a source location and returns the origin of its elements.
    ///
    /// `scope` is the number of an attached model in the order of [`Spec::add_scope`], from 1, or 0 for the
    /// model itself.
    ///
    /// ```
    /// use sim_mjcf::{Location, Spec};
    /// let mut spec = Spec::default();
    /// let location = Location { file: "arm.xml".to_owned(), line: 3, column: 5 };
    /// let origin = spec.add_origin(&location, 0);
    /// assert_eq!(spec.location(origin), location);
    /// assert_eq!(spec.scope_number(origin), 0);
    /// ```
    pub fn add_origin(&mut self, location: &Location, scope: usize) -> Origin {
        // elements of one file follow each other
        let same = self.files.iter().rposition(|file| **file == *location.file);
        let file = same.unwrap_or_else(|| {
            self.files.push(location.file.as_str().into());
            self.files.len() - 1
        });
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let (file, scope) = (number(file), number(scope));
        let origin = Origin(number(self.origins.len()));
        let Location { line, column, .. } = *location;
        self.origins.push(OriginRecord { file, line, column, scope });
        origin
    }

    /// Adds the compiler settings and the directory of an attached model, and returns its number, from 1.
    pub fn add_scope(&mut self, compiler: Compiler, directory: impl Into<String>) -> usize {
        self.scopes.push(Scope { compiler, directory: directory.into() });
        self.scopes.len()
    }

    /// Number of the attached model of an element, from 1; 0 for the model itself.
    #[must_use]
    pub fn scope_number(&self, origin: Origin) -> usize {
        self.origins.get(origin.0 as usize).map_or(0, |place| place.scope as usize)
    }

    /// Compiler settings and directories of the attached models.
    pub fn scopes(&self) -> impl Iterator<Item = (&Compiler, &str)> {
        self.scopes.iter().map(|scope| (&scope.compiler, scope.directory.as_str()))
    }
}

impl Compiler {
    /// The quaternion of an orientation under these settings (mjs_resolveOrientation); `None` if it is invalid.
    ///
    /// ```
    /// use sim_mjcf::spec::{Compiler, Orientation};
    /// let quat = Compiler::default().resolve(&Orientation::Euler([0.0, 0.0, 180.0])).unwrap();
    /// assert!((quat[3] - 1.0).abs() < 1e-12);
    /// ```
    #[must_use]
    pub fn resolve(&self, orientation: &Orientation) -> Option<[f64; 4]> {
        crate::compile::resolve(self, orientation).ok()
    }
}
