//! What odometers said.

use super::VehicleOut;
use serde::Serialize;
use utoipa::ToSchema;

/// A vehicle, with what its odometer said.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = VehicleWhole)]
pub(crate) struct WholeOut {
    /// The vehicle.
    #[serde(flatten)]
    pub vehicle: VehicleOut,
    /// What its odometer said, by what drivers filed: the last five readings, the latest first, by their own time.
    #[schema(max_items = 5)]
    pub kilometri: Vec<OdometerOut>,
}

/// What an odometer said.
#[derive(Clone, Debug, Serialize, ToSchema)]
#[schema(as = OdometerOut)]
pub(crate) struct OdometerOut {
    /// Kilometres.
    #[schema(maximum = 9_999_999, example = 412_873)]
    pub kilometri: u32,
    /// When, as the driver says.
    #[schema(format = DateTime)]
    pub vrijeme: String,
    /// The entry of the document that says so.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
}
