-- Proofs, the newest first: everybody's, and each identity's.
CREATE INDEX proofs_listed ON proofs (world, created, dokaz_id);
CREATE INDEX proofs_of_each ON proofs (identity_id, world, created, dokaz_id);
