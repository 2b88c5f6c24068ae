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
# Where each place is named by what lies there, a line each (`build.py`).
IFS='
'
set -f
for place in ${VERIFIER_REMAPPED:-}; do
    set -- "$@" "--remap-path-prefix=$place"
done
exec /usr/bin/rustc "$@"
