-- The state that a thief gave a key of the decoy world, as whoever shows a record of it is told.
ALTER TABLE decoy_keys ADD COLUMN stanje TEXT NOT NULL DEFAULT 'istina';
