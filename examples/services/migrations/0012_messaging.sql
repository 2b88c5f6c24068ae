-- Messages, who is written to, and what was told in the log of persons. world: 0 real, 1 decoy.

-- What entries under drawn pseudonyms say: the log has the hash of salt and text, and without this row nobody learns
-- whom an entry is of. Erased with its person.
CREATE TABLE personal_entries (
    krunica BYTEA NOT NULL PRIMARY KEY,
    tbl TEXT NOT NULL,
    line TEXT NOT NULL,
    salt TEXT NOT NULL,
    text TEXT NOT NULL,
    time BIGINT NOT NULL
);
CREATE INDEX personal_entries_of ON personal_entries (tbl, line);

-- People that are written to, and whose messages count as theirs. Who left has no address any more.
CREATE TABLE contacts (
    id TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    identity_id TEXT,
    phone TEXT,
    email TEXT,
    relay TEXT,
    language TEXT NOT NULL,
    on_call BIGINT NOT NULL,
    state TEXT NOT NULL,
    version BIGINT NOT NULL,
    changed BIGINT NOT NULL,
    world BIGINT NOT NULL,
    UNIQUE (phone, world),
    UNIQUE (email, world)
);
CREATE INDEX contacts_of ON contacts (identity_id);
CREATE INDEX contacts_on_call ON contacts (on_call, state);

-- Addresses that said STOP.
CREATE TABLE opt_outs (
    address TEXT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);

-- What came in. One id of a provider is one message.
CREATE TABLE messages_in (
    id TEXT NOT NULL PRIMARY KEY,
    channel TEXT NOT NULL,
    provider_id TEXT NOT NULL,
    sender TEXT NOT NULL,
    contact TEXT,
    is_verified BIGINT NOT NULL,
    time BIGINT NOT NULL,
    body TEXT NOT NULL,
    intent TEXT,
    outcome TEXT NOT NULL,
    UNIQUE (channel, provider_id)
);
CREATE INDEX messages_in_contact ON messages_in (contact, id);
CREATE INDEX messages_in_sender ON messages_in (sender, time);
CREATE INDEX messages_in_time ON messages_in (time);

-- What came with it, under the master, until it is filed or its time is over.
CREATE TABLE messages_attached (
    message TEXT NOT NULL REFERENCES messages_in (id),
    number BIGINT NOT NULL,
    name TEXT NOT NULL,
    stored BYTEA NOT NULL,
    PRIMARY KEY (message, number)
);

-- What waits for the code that was sent back to the address.
CREATE TABLE confirmations (
    id TEXT NOT NULL PRIMARY KEY,
    address TEXT NOT NULL,
    message TEXT NOT NULL,
    intent TEXT NOT NULL,
    language TEXT NOT NULL,
    code TEXT NOT NULL,
    tries BIGINT NOT NULL,
    created BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    state TEXT NOT NULL
);
CREATE INDEX confirmations_of ON confirmations (address, created);

-- Crossings that people reported, for whoever keeps the fleet's clock to take.
CREATE TABLE trip_reports (
    id TEXT NOT NULL PRIMARY KEY,
    message TEXT NOT NULL UNIQUE,
    contact TEXT NOT NULL,
    identity_id TEXT,
    country TEXT,
    text TEXT NOT NULL,
    time BIGINT NOT NULL,
    state TEXT NOT NULL
);

-- What goes out. ways: channel and address of each, in the order in which they are tried; way: which one is.
-- rank: 0 overtakes. recipient: in whose order it stands.
CREATE TABLE messages_out (
    id TEXT NOT NULL PRIMARY KEY,
    once TEXT UNIQUE,
    recipient TEXT NOT NULL,
    contact TEXT,
    rank BIGINT NOT NULL,
    ways TEXT NOT NULL,
    way BIGINT NOT NULL,
    subject TEXT NOT NULL,
    body TEXT NOT NULL,
    created BIGINT NOT NULL,
    due_at BIGINT NOT NULL,
    expires BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    state TEXT NOT NULL,
    provider_id TEXT,
    fault TEXT,
    changed BIGINT NOT NULL,
    world BIGINT NOT NULL
);
CREATE INDEX messages_out_due ON messages_out (state, due_at);
CREATE INDEX messages_out_order ON messages_out (recipient, state, rank, id);
CREATE INDEX messages_out_contact ON messages_out (contact, id);
CREATE INDEX messages_out_provider ON messages_out (provider_id);
CREATE INDEX messages_out_created ON messages_out (created);
