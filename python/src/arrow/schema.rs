//! Finding the columns that a call names.

use super::column::Column;
use crate::failure::Returned;
use arrow_schema::{Field, Schema};
use pyo3::prelude::*;

/// Where the columns of a call stand in each batch.
pub(super) struct Places {
    /// Those that are read, in the order in which the call asked for them.
    read: Vec<(usize, String)>,
    /// Those that are given out unread.
    kept: Vec<usize>,
}

impl Places {
    pub(super) fn new(schema: &Schema, keep: &[String]) -> Returned<Self> {
        let kept = keep.iter().map(|name| position(schema, name)).collect::<Returned<_>>()?;
        Ok(Self { read: vec![], kept })
    }

    /// Asks for one more column of text or bytes, and tells which of those that are read it is.
    pub(super) fn read(&mut self, schema: &Schema, name: &str) -> Returned<usize> {
        let place = position(schema, name)?;
        let found = schema.field(place).data_type();
        if !Column::takes(found) {
            let words = format!("column {name:?} is {found}, and has to be text or bytes");
            return Err(column_error("type", name, &words).into());
        }
        self.read.push((place, name.to_owned()));
        Ok(self.read.len().saturating_sub(1))
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (usize, &str)> {
        self.read.iter().map(|(place, name)| (*place, name.as_str()))
    }

    pub(super) fn kept(&self) -> &[usize] {
        &self.kept
    }

    /// The fields that are given out before those of the verdict.
    pub(super) fn kept_fields(&self, schema: &Schema, own: &[Field]) -> Returned<Vec<Field>> {
        let fields: Vec<Field> = self.kept.iter().map(|place| schema.field(*place).clone()).collect();
        let names = |field: &Field| own.iter().any(|own| own.name() == field.name());
        match fields.iter().find(|field| names(field)) {
            Some(field) => {
                let words = format!("column {:?} cannot be kept: the result has one of this name", field.name());
                Err(column_error("kept", field.name(), &words).into())
            }
            None => Ok(fields),
        }
    }
}

fn position(schema: &Schema, name: &str) -> Returned<usize> {
    let mut places = (0..).zip(schema.fields()).filter(|(_, field)| field.name() == name).map(|(place, _)| place);
    match (places.next(), places.next()) {
        (Some(place), None) => Ok(place),
        (Some(_), Some(_)) => {
            Err(column_error("twice", name, &format!("there are two columns of the name {name:?}")).into())
        }
        (None, _) => {
            let names: Vec<_> = schema.fields().iter().map(|field| format!("{:?}", field.name())).collect();
            let words = format!("there is no column {name:?}, among {}", names.join(", "));
            Err(column_error("missing", name, &words).into())
        }
    }
}

/// The class is Python source (`dualseal.arrow`).
fn column_error(name: &str, column: &str, words: &str) -> PyErr {
    let make = |py: Python<'_>| {
        let error = py.import("dualseal.arrow")?.getattr("ColumnError")?.call1((words,))?;
        error.setattr("name", name)?;
        error.setattr("column", column)?;
        Ok(PyErr::from_value(error))
    };
    Python::attach(make).unwrap_or_else(|error: PyErr| error)
}
