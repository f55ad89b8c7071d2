//! Named options of tasks: the keyword arguments of gymnasium's constructors.

use crate::Error;

/// The value of an option.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// A number.
    Number(f64),
    /// A flag.
    Bool(bool),
    /// A lower and an upper bound; either may be infinite.
    Range(f64, f64),
    /// A name or a path.
    Text(String),
}

macro_rules! value_from {
    ($($source:ty => |$x:ident| $value:expr;)*) => {
        $(impl From<$source> for Value {
            fn from($x: $source) -> Self {
                $value
            }
        })*
    };
}

value_from! {
    f64 => |x| Self::Number(x);
    i32 => |x| Self::Number(f64::from(x));
    usize => |x| Self::Number(x as f64);
    bool => |x| Self::Bool(x);
    (f64, f64) => |x| Self::Range(x.0, x.1);
    &str => |x| Self::Text(x.to_owned());
    String => |x| Self::Text(x);
}

/// A body, by index or by name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BodyRef {
    /// Index of the body.
    Id(usize),
    /// Name of the body.
    Name(String),
}

/// A type that an option can have.
pub trait Parameter: Sized {
    /// What the option takes, as a noun phrase.
    const EXPECTED: &'static str;

    /// The value, if it has the right type.
    fn from_value(value: &Value) -> Option<Self>;

    /// The inverse of [`Parameter::from_value`].
    fn to_value(&self) -> Value;
}

impl Parameter for f64 {
    const EXPECTED: &'static str = "a number";

    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Number(x) = value { Some(*x) } else { None }
    }

    fn to_value(&self) -> Value {
        Value::Number(*self)
    }
}

impl Parameter for bool {
    const EXPECTED: &'static str = "true or false";

    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Bool(x) = value { Some(*x) } else { None }
    }

    fn to_value(&self) -> Value {
        Value::Bool(*self)
    }
}

impl Parameter for (f64, f64) {
    const EXPECTED: &'static str = "a pair of numbers";

    fn from_value(value: &Value) -> Option<Self> {
        if let Value::Range(low, high) = value { Some((*low, *high)) } else { None }
    }

    fn to_value(&self) -> Value {
        Value::Range(self.0, self.1)
    }
}

impl Parameter for BodyRef {
    const EXPECTED: &'static str = "the index or the name of a body";

    fn from_value(value: &Value) -> Option<Self> {
        match value {
            Value::Number(x) if *x >= 0.0 && x.fract() == 0.0 => Some(Self::Id(*x as usize)),
            Value::Text(name) => Some(Self::Name(name.clone())),
            _ => None,
        }
    }

    fn to_value(&self) -> Value {
        match self {
            Self::Id(id) => Value::Number(*id as f64),
            Self::Name(name) => Value::Text(name.clone()),
        }
    }
}

/// Options that are set by name.
pub trait Parameters {
    /// Names and current values of all options.
    fn options(&self) -> Vec<(&'static str, Value)>;

    /// Sets an option.
    ///
    /// # Errors
    /// When there is no such option, or the value has the wrong type.
    fn set(&mut self, name: &str, value: &Value) -> Result<(), Error>;
}

/// Converts the value of an option to its type.
pub(crate) fn convert<T: Parameter>(name: &str, value: &Value) -> Result<T, Error> {
    T::from_value(value).ok_or_else(|| Error::WrongType {
        name: name.to_owned(),
        expected: T::EXPECTED,
        given: format!("{value:?}"),
    })
}

/// The error for an option that a task does not have.
pub(crate) fn unknown_option(task: &str, name: &str, known: &[&str]) -> Error {
    let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
    Error::UnknownOption { task: task.to_owned(), name: name.to_owned(), known }
}

/// Declares the options of a task: a struct with public fields, default values and [`Parameters`], and
/// with private fields for what is looked up in the model.
macro_rules! parameters {
    (
        $(#[$doc:meta])*
        pub struct $task:ident {
            $($(#[$field_doc:meta])* $name:ident: $kind:ty = $value:expr,)*
        }
        $(found { $($found:ident: $found_kind:ty,)* })?
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $task {
            $($(#[$field_doc])* pub $name: $kind,)*
            $($($found: $found_kind,)*)?
        }

        impl Default for $task {
            fn default() -> Self {
                Self { $($name: $value,)* $($($found: Default::default(),)*)? }
            }
        }

        impl $crate::Parameters for $task {
            fn options(&self) -> Vec<(&'static str, $crate::Value)> {
                vec![$((stringify!($name), $crate::parameters::Parameter::to_value(&self.$name)),)*]
            }

            fn set(&mut self, name: &str, value: &$crate::Value) -> Result<(), $crate::Error> {
                match name {
                    $(stringify!($name) => self.$name = $crate::parameters::convert(name, value)?,)*
                    _ => {
                        let known: &[&str] = &[$(stringify!($name)),*];
                        return Err($crate::parameters::unknown_option(stringify!($task), name, known));
                    }
                }
                Ok(())
            }
        }
    };
}
pub(crate) use parameters;
