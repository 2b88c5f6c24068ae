//! Where a master comes from, and secrets at rest.
