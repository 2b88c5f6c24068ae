-- The decoy's world, of whom callers see whose own key is a honeypot. world: 0 real, 1 decoy.

ALTER TABLE presence_invitations ADD COLUMN world BIGINT NOT NULL DEFAULT 0;
ALTER TABLE presence_enrolments ADD COLUMN world BIGINT NOT NULL DEFAULT 0;

-- What is enrolled in one world is not there in the other, and may be enrolled in both.
CREATE TABLE presence_authenticators_of_worlds (
    id TEXT NOT NULL,
    identity_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    label TEXT NOT NULL,
    material TEXT NOT NULL,
    enrolled BIGINT NOT NULL,
    counts_from BIGINT NOT NULL,
    removed BIGINT,
    world BIGINT NOT NULL,
    PRIMARY KEY (id, world)
);
INSERT INTO presence_authenticators_of_worlds
    SELECT id, identity_id, kind, label, material, enrolled, counts_from, removed, 0 FROM presence_authenticators;
DROP TABLE presence_authenticators;
ALTER TABLE presence_authenticators_of_worlds RENAME TO presence_authenticators;
CREATE INDEX presence_authenticators_of ON presence_authenticators (identity_id, enrolled);

-- By the handle of what a thief sealed it is looked up as any entry.
CREATE INDEX vault_decoys_handle ON vault_decoys (krunica);
