//! A list of proofs: of which, and what it says of each.

use super::Vrsta;
use dualseal::IdentityId;
use platform::web::Name;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

/// Which proofs a list has.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListQuery {
    /// Of this identity.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{64}$")]
    pub identity_id: Option<Name<IdentityId>>,
    /// That show this.
    #[param(inline)]
    pub vrsta: Option<Vrsta>,
}

/// What a list says of a proof.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct ProofLine {
    /// Its name.
    #[schema(pattern = "^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]
    pub dokaz_id: String,
    /// What it shows.
    pub vrsta: Vrsta,
    /// Of whom.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub identity_id: String,
    /// When it was made.
    #[schema(format = DateTime)]
    pub vrijeme: String,
    /// Its entry.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub krunica_hash: String,
    /// The entry's place.
    pub seq: u64,
    /// Where it is read.
    #[schema(format = "uri")]
    pub poveznica: String,
}
