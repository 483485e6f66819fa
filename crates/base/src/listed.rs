//! Enumerations that know all their variants.

/// Defines an enumeration and its `ALL`, so that no list of its variants can miss one.
#[macro_export]
macro_rules! listed_enum {
    ($(#[$meta:meta])* $vis:vis enum $name:ident {
        $($(#[$doc:meta])* $variant:ident $(= $number:literal)?,)*
    }) => {
        $(#[$meta])*
        $vis enum $name {
            $($(#[$doc])* $variant $(= $number)?,)*
        }

        impl $name {
            /// Each of them, in the order in which they are defined.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];
        }
    };
}
