//! Storage beside the database, on SQLite and, where `TRUSTD_TEST_POSTGRES_OWNER` has the address of a server, on
//! PostgreSQL.

mod apart;
mod backup;
mod clock;
mod erasure;
mod failing;
mod gone;
mod harness;
mod jobs;
mod look;
mod mark;
mod master;
mod objects;
mod outbox;
mod statements;
mod verify;
mod writer;
