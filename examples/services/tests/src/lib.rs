//! Black-box tests of the services.
