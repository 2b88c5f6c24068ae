#!/bin/bash
# Puts a release of trustd in place, as root on the machine that runs it:
#   deploy.sh [--key FILE] RELEASE      RELEASE is a folder: bin/trustd, src/, and portal/ where there is one
#   deploy.sh [--key FILE] --roll-back  the release before, which is kept
# A release is copied to staging and hashed, tried there by its own `trustd gate` under the machine's settings, put in
# place as exactly those bytes, tried once more, and only then the service is started anew. Whatever fails ends it: what
# ran before goes on. Each step is a line of deploy.log. With --key (or `--key -` for the input) the deployer signs the
# release, so that `trustd integrity` knows it.
set -Eeuo pipefail

to=${DEPLOY_ROOT:-/opt/trustd}
config=${DEPLOY_CONFIG:-/etc/trustd/trustd.toml}
unit=${DEPLOY_UNIT:-trustd}
# How a program is run as the unit runs it.
as_unit=${DEPLOY_AS_UNIT:-systemd-run --quiet --pipe --wait --uid=trustd
    -p LoadCredential=master:/etc/trustd/master.pem -E TRUSTD_KEYS_MASTER_CREDENTIAL=master
    -E TRUSTD_DATA=/var/lib/trustd}
# How the portal's own Python is run, under its settings.
as_portal=${DEPLOY_AS_PORTAL:-systemd-run --quiet --pipe --wait --same-dir --uid=portal
    -p EnvironmentFile=/etc/portal.env /opt/portal/bin/python}

key='' release='' roll_back=''
while [ $# -gt 0 ]; do
    case $1 in
        --key) key=${2:?--key wants a file}; shift ;;
        --roll-back) roll_back=yes ;;
        -*) echo "deploy.sh: $1 is no option" >&2; exit 2 ;;
        *) release=$1 ;;
    esac
    shift
done
if [ -z "$release$roll_back" ] || [ -n "$release" ] && [ -n "$roll_back" ]; then
    echo "usage: deploy.sh [--key FILE] RELEASE | deploy.sh [--key FILE] --roll-back" >&2
    exit 2
fi

umask 022
mkdir -p "$to/releases"
exec 9>"$to/.lock"
flock --nonblock 9 || { echo "deploy.sh: another one runs" >&2; exit 2; }

now=begin
step() {
    now=$1
    echo "$*"
    echo "$(date -u +%Y-%m-%dT%H:%M:%SZ) $*" >>"$to/deploy.log"
}
trap 'code=$?; [ "$BASH_SUBSHELL" -gt 0 ] || step failed "$now"; exit "$code"' ERR

# The sums of all files of a release but its manifest, which comes after them.
sums() { (cd "$1" && find . -type f ! -path ./manifest -print0 | LC_ALL=C sort -z | xargs -0 sha256sum); }

gate() {
    # shellcheck disable=SC2086 # words
    $as_unit "$1/bin/trustd" --config "$config" gate
    if [ -d "$1/portal" ]; then
        # shellcheck disable=SC2086 # words
        (cd "$1/portal" && $as_portal -c "import portal.wsgi" && $as_portal manage.py check --deploy --fail-level ERROR)
    fi
}

sign() {
    [ -n "$key" ] || return 0
    step sign "$1"
    "$1/bin/trustd" --config "$config" integrity sign --key "$key" --out "$1/manifest" --staged "$to/current=$1"
}

# Turns a link at once.
turn() {
    ln -sfn "$2" "$to/.next"
    mv -T "$to/.next" "$to/$1"
}

finish() {
    before=$(readlink "$to/current" || true)
    step turn "$1"
    turn current "releases/$1"
    if [ -n "$before" ] && [ "$before" != "releases/$1" ]; then
        turn previous "$before"
    fi
    step restart "$unit"
    systemctl restart "$unit"
    step done "$1"
}

if [ -n "$roll_back" ]; then
    id=$(basename "$(readlink "$to/previous")")
    step roll-back "$id"
    step compare "$id"
    sums "$to/releases/$id" | cmp - "$to/releases/$id.sums"
    step gate "releases/$id"
    gate "$to/releases/$id"
    sign "$to/releases/$id"
    finish "$id"
    exit 0
fi

step stage "$release"
rm -rf "$to/staging"
odd=$(find "$release" ! -type f ! -type d -print -quit)
[ -z "$odd" ] || { echo "deploy.sh: $odd is neither file nor folder" >&2; false; }
cp -R "$release" "$to/staging"
if [ "$(id -u)" = 0 ]; then chown -R root:root "$to/staging"; fi
chmod -R u=rwX,go=rX "$to/staging"

step hash
rm -f "$to/staging/manifest"
sums "$to/staging" >"$to/staging.sums"
id=$(sha256sum "$to/staging.sums" | cut -c1-16)

step gate staging
gate "$to/staging"

step synchronise "$id"
if [ ! -d "$to/releases/$id" ]; then
    mv "$to/staging" "$to/releases/$id"
    cp "$to/staging.sums" "$to/releases/$id.sums"
fi
sums "$to/releases/$id" | cmp - "$to/staging.sums"

step gate "releases/$id"
gate "$to/releases/$id"
sign "$to/releases/$id"
finish "$id"
