#!/bin/bash
# Puts a release of trustd in place, as root on the machine that runs it:
#   deploy.sh [--key FILE] RELEASE      RELEASE is a folder: bin/trustd, src/, and portal/ where there is one
#   deploy.sh [--key FILE] --roll-back  the release before, which is kept
# A release is copied to staging and hashed, tried there by its own `trustd gate` under the machine's settings, put in
# place as exactly those bytes, tried once more, and only then the service is started anew, and asked whether it is
# well. Before a release that changes the schema a backup is made, and whoever has the schema changes it. Whatever fails
# ends it: what ran before goes on, or is started again where its own gate says that it runs over what is there by now;
# else the new one stays. Each step is a line of deploy.log. With --key (or `--key -` for the input) the deployer signs
# the release, so that `trustd integrity` knows it.
set -Eeuo pipefail

to=${DEPLOY_ROOT:-/opt/trustd}
config=${DEPLOY_CONFIG:-/etc/trustd/trustd.toml}
unit=${DEPLOY_UNIT:-trustd}
# What the unit starts: a link to the program that is put in place.
program=${DEPLOY_PROGRAM:-/usr/local/bin/trustd}
# How a program is run as the unit runs it.
as_unit=${DEPLOY_AS_UNIT:-systemd-run --quiet --pipe --wait --uid=trustd
    -p LoadCredential=master:/etc/trustd/master.pem -E TRUSTD_KEYS_MASTER_CREDENTIAL=master
    -E TRUSTD_DATA=/var/lib/trustd}
# How one is run that has `database_owner`, which the unit may not have: the gate, the backup, and the new release once,
# to bring the schema up to date. As the unit, where it has it itself.
as_owner=${DEPLOY_AS_OWNER:-}
# How the portal's own Python is run, under its settings.
as_portal=${DEPLOY_AS_PORTAL:-systemd-run --quiet --pipe --wait --same-dir --uid=portal
    -p EnvironmentFile=/etc/portal.env /opt/portal/bin/python}

# How long a service that was started has until it is well, in seconds; and one that changes the schema first.
patience=${DEPLOY_PATIENCE:-60}
patience_migrating=${DEPLOY_PATIENCE_MIGRATING:-900}
# Where the backup before a change of the schema goes, for the unit's user; `none` where somebody makes it otherwise.
backups=${DEPLOY_BACKUPS:-/var/lib/trustd/backups}

key='' release='' roll_back='' backup=''
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
# Else all would end well, and what was there before would go on.
if [ "$(readlink "$program")" != "$to/current/bin/trustd" ]; then
    step elsewhere "$program"
    echo "deploy.sh: $program is no link to $to/current/bin/trustd, and $unit would not run the release" >&2
    exit 2
fi
trap 'code=$?; [ "$BASH_SUBSHELL" -gt 0 ] || step failed "$now"; exit "$code"' ERR

# The sums of all files of a release but its manifest, which comes after them.
sums() { (cd "$1" && find . -type f ! -path ./manifest -print0 | LC_ALL=C sort -z | xargs -0 sha256sum); }

# Whether what was tried last changes the schema.
changes=''

# What is tried has no input: the key may come from there. It is asked in conditions too, where nothing ends by itself.
gate() {
    local said
    # shellcheck disable=SC2086 # words
    said=$(${as_owner:-$as_unit} "$1/bin/trustd" --config "$config" gate </dev/null) || return 1
    echo "$said"
    case $said in *"the schema changes"*) changes=yes ;; *) changes='' ;; esac
    [ -d "$1/portal" ] || return 0
    # shellcheck disable=SC2086 # words
    (
        cd "$1/portal" && $as_portal -c "import portal.wsgi" &&
            $as_portal manage.py check --deploy --fail-level ERROR
    ) </dev/null
}

# Before the release $1: by what runs, which knows the schema that is there.
secure() {
    [ -n "$changes" ] || return 0
    patience=$patience_migrating
    [ "$backups" != none ] || return 0
    local by=$to/current/bin/trustd
    [ -x "$by" ] || by=$1/bin/trustd
    # A folder of its own, whoever put something else in place in the same second.
    backup=$backups/$(date -u +%Y%m%dT%H%M%SZ)-$(basename "$1")
    step backup "$backup"
    # shellcheck disable=SC2086 # words
    $as_unit mkdir -p "$backups" </dev/null
    # shellcheck disable=SC2086 # words
    ${as_owner:-$as_unit} "$by" --config "$config" backup make "$backup" </dev/null
}

# The key is given to a program that ran here before, never to the one that is new; there is none the first time.
sign() {
    [ -n "$key" ] || return 0
    step sign "$1"
    local by=${2:-$to/current}
    [ -x "$by/bin/trustd" ] || by=$1
    "$by/bin/trustd" --config "$config" integrity sign --key "$key" --out "$1/manifest" --staged "$to/current=$1"
}

# Turns a link at once.
turn() {
    ln -sfn "$2" "$to/.next"
    mv -T "$to/.next" "$to/$1"
}

# Whoever has the schema brings it up to date where the unit may not, while nobody else is there.
migrate() {
    [ -n "$changes" ] && [ -n "$as_owner" ] || return 0
    step migrate "$1"
    systemctl stop "$unit" || true
    # shellcheck disable=SC2086 # words
    $as_owner "$to/current/bin/trustd" --config "$config" init </dev/null
}

# Starts the unit, however often it ended of late: systemd refuses what was started too often.
begin() {
    systemctl reset-failed "$unit" || true
    systemctl "$1" "$unit"
}

# Whether the unit has ended for good, or again and again since it was started.
gives_up() {
    local said
    said=$(systemctl show -p ActiveState -p NRestarts "$unit") || return 1
    case $said in *ActiveState=failed*) return 0 ;; *NRestarts=*) ;; *) return 1 ;; esac
    said=${said##*NRestarts=}
    [ "${said%%[!0-9]*}" -ge 3 ]
}

# Whether all of the service is well, as soon as it is.
is_well() {
    local end=$((SECONDS + patience))
    # shellcheck disable=SC2086 # words
    until $as_unit "$to/current/bin/trustd" --config "$config" health </dev/null >/dev/null; do
        [ "$SECONDS" -lt "$end" ] && ! gives_up || return 1
        sleep 1
    done
}

# Whether what ran before runs over what is there by now, schema and settings: asked once more when nobody is about to
# change them any more.
bears() {
    step gate "$1"
    gate "$to/$1" || return 1
    systemctl stop "$unit" || true
    gate "$to/$1"
}

finish() {
    before=$(readlink "$to/current" || true)
    back=$(readlink "$to/previous" || true)
    step turn "$1"
    # First, so that there is a way back whatever ends this.
    if [ -n "$before" ] && [ "$before" != "releases/$1" ]; then
        turn previous "$before"
    fi
    turn current "releases/$1"
    if migrate "$1" && step restart "$unit" && begin restart && is_well; then
        step done "$1"
        return
    fi
    if [ -n "$before" ] && [ "$before" != "releases/$1" ] && ! bears "$before"; then
        step stays "$1"
        echo "deploy.sh: $before does not run over the schema and the settings that are there: $unit stays with $1" >&2
        [ -z "$backup" ] || echo "deploy.sh: $to/previous/bin/trustd restores what was there before from $backup" >&2
        begin start || step not-started "$unit"
    elif [ -n "$before" ] && [ "$before" != "releases/$1" ]; then
        step turn-back "$before"
        turn current "$before"
        if [ -n "$back" ]; then turn previous "$back"; else rm "$to/previous"; fi
        # A manifest of a higher number may have been seen by now. What comes from the input comes once.
        if [ "$key" = - ]; then
            echo "deploy.sh: sign $to/$before again, if its manifest is an old one" >&2
        else
            sign "$to/$before" "$to/$before" || echo "deploy.sh: $to/$before was not signed again" >&2
        fi
        begin restart || step not-started "$unit"
    fi
    now="restart $unit"
    false
}

if [ -n "$roll_back" ]; then
    id=$(basename "$(readlink "$to/previous")")
    step roll-back "$id"
    step compare "$id"
    sums "$to/releases/$id" | cmp - "$to/releases/$id.sums"
    step gate "releases/$id"
    gate "$to/releases/$id"
    secure "$to/releases/$id"
    # By itself: it ran here, and what runs now may be what somebody flees.
    sign "$to/releases/$id" "$to/releases/$id"
    finish "$id"
    exit 0
fi

step stage "$release"
rm -rf "$to/staging"
cp -R "$release" "$to/staging"
# In the copy, which nobody else writes to.
odd=$(find "$to/staging" ! -type f ! -type d -print -quit)
[ -z "$odd" ] || { echo "deploy.sh: $odd is neither file nor folder" >&2; false; }
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
fi
sums "$to/releases/$id" | cmp - "$to/staging.sums"
# Also where it was there already, and whoever put it there died before this.
mv -T "$to/staging.sums" "$to/releases/$id.sums"

step gate "releases/$id"
gate "$to/releases/$id"
secure "$to/releases/$id"
sign "$to/releases/$id"
finish "$id"
