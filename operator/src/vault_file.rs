//! Sealing and unsealing a vault's documents from file to file.
