//! What is over one of the two fields.

/// A value over one of the two fields, which the library tells apart by type.
pub(crate) enum Over<P, B> {
    Prime(P),
    Binary(B),
}

/// The same expression for either field.
macro_rules! over {
    ($value:expr, $name:ident => $body:expr) => {
        match $value {
            $crate::sharing::Over::Prime($name) => $body,
            $crate::sharing::Over::Binary($name) => $body,
        }
    };
}
pub(crate) use over;
