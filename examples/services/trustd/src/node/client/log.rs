//! What the service shows of its log.

use super::{Client, ClientError, answered, body};
use dualseal::checkpoint::PlaceProof;
use dualseal::note::Note;
use reqwest::Method;

const TRIES: u32 = 3;

impl Client {
    /// The proof of an entry's place, and the note over the last checkpoint: nothing of both is verified yet. Where
    /// another one was signed between both answers, both are asked for again.
    pub(in crate::node) async fn place(&self, seq: u64) -> Result<(PlaceProof, Note), ClientError> {
        let mut tries = 0;
        loop {
            let (proof, note) = self.both(seq).await?;
            tries += 1;
            if proof.checkpoint().tree_head().size == note.body().size || tries == TRIES {
                return Ok((proof, note));
            }
        }
    }

    async fn both(&self, seq: u64) -> Result<(PlaceProof, Note), ClientError> {
        let proof = self.request(Method::GET, &format!("api/v1/log/proof/{seq}")).await?;
        let proof = body(answered(proof.send().await?).await?).await?;
        let note = self.request(Method::GET, "api/v1/log/checkpoint").await?;
        let note = body(answered(note.send().await?).await?).await?;
        let note = std::str::from_utf8(&note).ok().and_then(|note| Note::from_text(note).ok());
        let proof = PlaceProof::from_json(&proof).map_err(|_| ClientError::Answer("proof of a place"))?;
        Ok((proof, note.ok_or(ClientError::Answer("note"))?))
    }
}
