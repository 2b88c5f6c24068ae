//! Records as JSON objects: one table for each, from which it is read and written, and by which it is inspected. A
//! record has exactly its members, each of its form, and errors name the member.

pub(crate) use super::form::{
    Ascending, Form, Inner, Later, Present, Row, SecretText, hex_form, read_text, text, text_form, wire_names,
};

use super::json::{Name, Outline, Raw, Writer, written};
use crate::error::{Error, Problem};
use alloc::string::String;

/// Reads a record from its text.
pub(crate) fn from_json<F: Form>(text: &[u8]) -> Result<F::Value, Error> {
    F::read(Raw::parse_with(text, &mut Outline::new())?, "json")
}

/// The canonical JSON of a record.
pub(crate) fn to_json<F: Form>(value: &F::Value) -> String {
    written(|out| F::write(value, out))
}

/// The members of a record.
pub(crate) const fn rows<F: Form>() -> &'static [Row] {
    match F::INNER {
        Inner::Members(rows) => rows,
        Inner::Nothing | Inner::Items(_) => &[],
    }
}

/// Whether a value is an object with exactly the members of a record, whatever their form.
pub(crate) fn has_members<F: Form>(raw: Raw<'_>) -> bool {
    let rows = rows::<F>();
    let mut count = 0_usize;
    let known = |name: Name<'_>| rows.iter().any(|row| name.is(row.name));
    let all_known = raw.members().is_some_and(|mut members| {
        members.all(|(name, _)| {
            count = count.saturating_add(1);
            known(name)
        })
    });
    // No name is there twice.
    all_known && count == rows.len()
}

/// A table in canonical order. Its names are ASCII, of which the order of bytes is that of UTF-16.
pub(crate) const fn ordered<const N: usize>(rows: &'static [Row; N]) -> &'static [Row; N] {
    let mut rest: &[Row] = rows;
    while let [row, tail @ ..] = rest {
        if let [next, ..] = tail {
            assert!(row.name.is_ascii() && precedes(row.name.as_bytes(), next.name.as_bytes()));
        }
        rest = tail;
    }
    rows
}

const fn precedes(mut one: &[u8], mut other: &[u8]) -> bool {
    loop {
        match (one, other) {
            ([a, one_rest @ ..], [b, other_rest @ ..]) if *a == *b => (one, other) = (one_rest, other_rest),
            ([a, ..], [b, ..]) => return *a < *b,
            _ => return one.len() < other.len(),
        }
    }
}

/// The values of a record, in the order of its table: no other, none missing, and the constants as they must be.
pub(crate) fn values<'a, const N: usize>(
    raw: Raw<'a>,
    record: &'static str,
    rows: &'static [Row; N],
) -> Result<[Raw<'a>; N], Error> {
    const { assert!(N <= Outline::MOST, "a larger record would be looked through twice") };
    let (mut values, mut seen) = ([Raw::NULL; N], [false; N]);
    let mut unknown: Option<Name<'_>> = None;
    // Where the next name is looked for first: mostly they come in this order.
    let mut next = 0_usize;
    for (name, value) in raw.members().ok_or_else(|| Error::malformed(record, Problem::WrongType))? {
        let place = if rows.get(next).is_some_and(|row| name.is(row.name)) {
            Some(next)
        } else {
            rows.iter().position(|row| name.is(row.name))
        };
        match place.and_then(|place| values.get_mut(place).zip(seen.get_mut(place))) {
            Some((slot, seen)) => (*slot, *seen) = (value, true),
            // The first of them in the order of characters.
            None if unknown.is_none_or(|least| name.chars().lt(least.chars())) => unknown = Some(name),
            None => {}
        }
        next = place.unwrap_or(next).saturating_add(1);
    }
    if let Some(name) = unknown {
        return Err(Error::malformed(record, Problem::UnknownMember(name.chars().take(64).collect())));
    }
    if let Some((row, _)) = rows.iter().zip(seen).find(|(_, seen)| !seen) {
        return Err(Error::malformed(row.name, Problem::MissingMember));
    }
    for (row, value) in rows.iter().zip(values).filter(|(row, _)| row.constant) {
        (row.check)(value, row.name)?;
    }
    Ok(values)
}

/// The table of a record and all that follows from it: how it is read, written and inspected.
///
/// `|record: Type| "what it is called in errors" { rows } => { what the rows make }`, the rows in canonical order:
///
/// | row | member |
/// |---|---|
/// | `"name" field: Form` | the field of this name |
/// | `"name" field: Form = expression` | a value of the record; read as a variable |
/// | `"name" = constant` | one certain text, or `true` |
/// | `"name" { rows }` | an object of these |
///
/// Without what the rows make, they are the fields of the record. `|record: Type as Table|` is a table of a form
/// `Table` that gives a `Type`, for a type with more than one.
macro_rules! record {
    (|$this:ident: $record:ty| $($rest:tt)*) => {
        $crate::encoding::record::record! { |$this: $record as $record| $($rest)* }
    };
    (|$this:ident: $record:ty as $form:ty| $what:literal {
        $( $name:literal $($binding:ident: $of:ty)? $(= $value:expr)? ),* $(,)?
    }) => {
        $crate::encoding::record::record! { |$this: $record as $form| $what {
            $( $name $($binding: $of)? $(= $value)? ),*
        } => { Ok(Self { $($($binding,)?)* }) } }
    };
    (|$this:ident: $record:ty as $form:ty| $what:literal $rows:tt => $made:block) => {
        impl $crate::encoding::record::Form for $form {
            type Value = $record;

            const INNER: $crate::encoding::record::Inner =
                $crate::encoding::record::Inner::Members($crate::encoding::record::record!(@table $rows));

            fn read(
                raw: $crate::encoding::json::Raw<'_>,
                _: &'static str,
            ) -> Result<$record, $crate::error::Error> {
                $crate::encoding::record::record!(@read raw $what $rows);
                $made
            }

            fn write($this: &$record, out: &mut $crate::encoding::json::Writer) {
                $crate::encoding::record::record!(@write $this out $rows);
            }
        }
    };
    (@table { $(
        $name:literal $({ $($inner:tt)* })? $($binding:ident: $of:ty)? $(= $value:expr)?
    ),* $(,)? }) => {
        const { $crate::encoding::record::ordered(&[$(
            $crate::encoding::record::record!(@row $name [$({ $($inner)* })?] [$($of)?] [$($value)?])
        ),*]) }
    };
    (@row $name:literal [$inner:tt] [] []) => {
        $crate::encoding::record::Row {
            name: $name,
            constant: false,
            check: |_, _| Ok(()),
            inner: $crate::encoding::record::Inner::Members($crate::encoding::record::record!(@table $inner)),
        }
    };
    (@row $name:literal [] [$of:ty] [$($value:expr)?]) => {
        $crate::encoding::record::Row {
            name: $name,
            constant: false,
            check: <$of as $crate::encoding::record::Form>::check,
            inner: <$of as $crate::encoding::record::Form>::INNER,
        }
    };
    (@row $name:literal [] [] [$value:expr]) => {
        $crate::encoding::record::Row {
            name: $name,
            constant: true,
            check: |raw, field| $crate::encoding::record::Constant::expect($value, raw, field),
            inner: $crate::encoding::record::Inner::Nothing,
        }
    };
    (@read $raw:ident $what:literal { $(
        $name:literal $({ $($inner:tt)* })? $($binding:ident: $of:ty)? $(= $value:expr)?
    ),* $(,)? }) => {
        let values = $crate::encoding::record::values($raw, $what, $crate::encoding::record::record!(@table { $(
            $name $({ $($inner)* })? $($binding: $of)? $(= $value)?
        ),* }))?;
        let mut values = values.iter().copied();
        $( $crate::encoding::record::record!(@let values $name [$({ $($inner)* })?] [$($binding: $of)?]); )*
    };
    (@let $values:ident $name:literal [$inner:tt] []) => {
        let raw = $values.next().unwrap_or($crate::encoding::json::Raw::NULL);
        $crate::encoding::record::record!(@read raw $name $inner);
    };
    (@let $values:ident $name:literal [] [$binding:ident: $of:ty]) => {
        let raw = $values.next().unwrap_or($crate::encoding::json::Raw::NULL);
        let $binding = <$of as $crate::encoding::record::Form>::read(raw, $name)?;
    };
    (@let $values:ident $name:literal [] []) => {
        let _ = $values.next();
    };
    (@write $this:ident $out:ident { $(
        $name:literal $({ $($inner:tt)* })? $($binding:ident: $of:ty)? $(= $value:expr)?
    ),* $(,)? }) => {
        $out.open("{");
        $(
            $out.name($name);
            $crate::encoding::record::record!(@put $this $out [$({ $($inner)* })?] [$($binding: $of)?] [$($value)?]);
        )*
        $out.close("}");
    };
    (@put $this:ident $out:ident [$inner:tt] [] []) => {
        $crate::encoding::record::record!(@write $this $out $inner)
    };
    (@put $this:ident $out:ident [] [$binding:ident: $of:ty] []) => {
        <$of as $crate::encoding::record::Form>::write(&$this.$binding, $out)
    };
    (@put $this:ident $out:ident [] [$binding:ident: $of:ty] [$value:expr]) => {
        <$of as $crate::encoding::record::Form>::write(&$value, $out)
    };
    (@put $this:ident $out:ident [] [] [$value:expr]) => {
        $crate::encoding::record::Constant::put($value, $out)
    };
}
pub(crate) use record;

/// A member that has one certain value.
pub(crate) trait Constant {
    fn expect(self, raw: Raw<'_>, field: &'static str) -> Result<(), Error>;

    fn put(self, out: &mut Writer);
}

impl Constant for &str {
    fn expect(self, raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        let same = *text(raw, field)? == *self;
        if same { Ok(()) } else { Err(Error::malformed(field, Problem::UnknownValue)) }
    }

    fn put(self, out: &mut Writer) {
        out.text(self);
    }
}

impl Constant for bool {
    fn expect(self, raw: Raw<'_>, field: &'static str) -> Result<(), Error> {
        let same = raw.bool() == Some(self);
        if same { Ok(()) } else { Err(Error::malformed(field, Problem::UnknownValue)) }
    }

    fn put(self, out: &mut Writer) {
        out.bool(self);
    }
}
