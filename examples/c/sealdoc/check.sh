# Tries the program in a folder of its own: what it seals holds, and what was changed does not.
set -eu
sealdoc=$(pwd)/sealdoc
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
cd "$folder"

ends() {
    expected=$1
    shift
    found=0
    "$@" >said 2>&1 || found=$?
    if [ "$found" != "$expected" ]; then
        echo "$*: ended with $found instead of $expected" >&2
        cat said >&2
        exit 1
    fi
}

printf 'Ana sells the boat.\n' >contract
ends 0 "$sealdoc" key ana
ends 2 "$sealdoc" key ana
ends 0 "$sealdoc" seal ana contract
ends 0 "$sealdoc" seal ana ana.pub
[ "$(wc -l <ana.chain)" = 2 ]
[ "$(stat -c %a ana.key)$(stat -c %a ana.secret)" = 600600 ]
ends 0 "$sealdoc" verify ana contract
grep -q '^valid$' said
ends 0 "$sealdoc" inspect contract.seal
grep -q '"kind":"dual seal"' said
ends 0 "$sealdoc" inspect ana.chain
# A stranger has the public key alone.
mkdir stranger
cp ana.pub contract contract.seal stranger
cd stranger
ends 0 "$sealdoc" verify ana contract
cd ..
ends 0 "$sealdoc" key bob
ends 1 "$sealdoc" verify bob contract
printf 'Ana sells the house.\n' >contract
ends 1 "$sealdoc" verify ana contract
grep -q '^invalid$' said
printf '{' >contract.seal
ends 2 "$sealdoc" verify ana contract
ends 2 "$sealdoc" verify ana absent
# A head of another moment than the chain would fork it.
rm ana.head
ends 2 "$sealdoc" seal ana contract
ends 2 "$sealdoc" nonsense
echo "sealdoc: all is well"
