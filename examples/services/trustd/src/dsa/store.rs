//! What is read and written: each request that changes something is work for the log's writer.

mod decoy;
mod keys;
mod sign;

pub(super) use decoy::{DecoyChange, state_and_decoy};
pub(crate) use decoy::{counterfeit, decoy_info, is_there};
pub(super) use keys::{Keypair, Rotate, SetKeyState};
pub(super) use sign::Sign;
pub(crate) use sign::may_sign;

use platform::db::{Statement, statements};

statements! {
    NOTE = "INSERT INTO key_notes (krunica, identity_id, stanje, napomena, set_by) VALUES ($1, $2, $3, $4, $5)";
    TOUCH = "SELECT krunica FROM key_notes LIMIT 1";
    DECOY = "SELECT generation, stanje, generated FROM decoy_identities WHERE identity_id = $1";
    PUT_DECOY = "INSERT INTO decoy_identities (identity_id, generation, stanje, generated) VALUES ($1, $2, $3, $4) \
                 ON CONFLICT (identity_id) DO UPDATE SET generation = excluded.generation, \
                 stanje = excluded.stanje, generated = excluded.generated";
    PUT_DECOY_KEY = "INSERT INTO decoy_keys (key_hash, identity_id) VALUES ($1, $2) ON CONFLICT (key_hash) DO NOTHING";
    SET_DECOY_KEY = "INSERT INTO decoy_keys (key_hash, identity_id, stanje) VALUES ($1, $2, $3) \
                     ON CONFLICT (key_hash) DO UPDATE SET stanje = excluded.stanje";
    /// Of so many keys at once as the log's questions are put together of.
    DECOY_KEYS = "SELECT logs.state, decoy_keys.key_hash AS asked, \
                  decoy_keys.identity_id || ' ' || decoy_keys.stanje AS told FROM logs \
                  LEFT JOIN decoy_keys ON decoy_keys.key_hash IN \
                  ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16) \
                  WHERE logs.id = (SELECT MAX(id) FROM logs)";
}

/// All statements.
pub const STATEMENTS: &[Statement] = ALL;
