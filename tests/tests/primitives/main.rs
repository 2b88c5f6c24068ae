//! Hashes, signatures, JSON and streams against vectors and programs that others made.

mod accumulated;
mod acvp_hmac;
mod acvp_mldsa;
mod acvp_mldsa_others;
mod acvp_sha3;
mod differential;
mod hash_oracles;
mod json_oracle;
mod merkle;
mod merkle_altered;
mod rfc9881;
mod stream;
mod stream_answers;
mod wycheproof_hmac;
mod wycheproof_mldsa;
