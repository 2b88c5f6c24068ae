#!/bin/sh
# The compiler under one name for each crate of this project. Cargo makes that name of the folder in which a crate
# outside of the workspace lies, and the order of what is compiled follows the name.
for argument; do
    shift
    case "${CARGO_PKG_NAME:-}:$argument" in
        dualseal*:metadata=*) argument="metadata=$CARGO_PKG_NAME" ;;
    esac
    set -- "$@" "$argument"
done
exec /usr/bin/rustc "$@"
