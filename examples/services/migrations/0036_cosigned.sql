-- Which checkpoints have a line of which witness below their notes: the key of the witness, as it is pinned.
CREATE TABLE cosigned (
    log BIGINT NOT NULL REFERENCES logs (id),
    witness TEXT NOT NULL,
    size BIGINT NOT NULL,
    PRIMARY KEY (log, witness, size)
);
