#!/bin/sh
# A signer, a custodian who keeps checkpoints, and a stranger, each in a folder of their own, from empty folders on.
# usage: story.sh PROGRAM FOLDER
set -eu

program=$1
folder=$2
unset DUALSEAL_HOME
mkdir "$folder/signer" "$folder/custodian" "$folder/stranger"

says() { # says STATUS WORDS COMMAND...: the command ends with the status and says the words
    status=$1
    words=$2
    shift 2
    found=0
    told=$("$@" 2>&1) || found=$?
    case $told in
        *"$words"*) ;;
        *) echo "not said: $words"; echo "$told"; exit 1 ;;
    esac
    [ "$found" = "$status" ] || { echo "status $found, not $status: $*"; echo "$told"; exit 1; }
}

# The signer makes a key and signs and seals a contract.
cd "$folder/signer"
signer() { "$program" --home "$folder/signer/home" "$@"; }
echo "We agree." >contract.txt
says 0 "ana has a key." signer key new ana --domain ACME --origin acme.example/log
says 0 "Signed." signer sign contract.txt
says 0 "Sealed." signer seal contract.txt
says 0 "The public key is written." signer key export ana -o ana.pem
says 0 "The chain's head is signed." signer checkpoint sign -o first.json
cp home/chain.jsonl chain.jsonl

# The custodian keeps the checkpoint and the key.
cp first.json ana.pem "$folder/custodian"
cd "$folder/custodian"
custodian() { "$program" --home "$folder/custodian/home" "$@"; }
says 0 "Valid: the checkpoint" custodian checkpoint check first.json --log-key ana.pem

# The stranger is handed the folder and has nothing else.
cd "$folder/signer"
cp contract.txt contract.txt.sig.json contract.txt.seal ana.pem "$folder/stranger"
cd "$folder/stranger"
stranger() { "$program" --home "$folder/stranger/home" "$@"; }
says 0 "Valid: the signature" stranger verify contract.txt.sig.json --key ana.pem
says 0 "Valid: the seal" stranger verify contract.txt.seal --key ana.pem
cp contract.txt kept.txt
echo "We do not agree." >contract.txt
says 1 "the document is not the one that was signed" stranger verify contract.txt.sig.json --key ana.pem
says 1 "The document or what came with it was changed" stranger verify contract.txt.seal --key ana.pem
mv kept.txt contract.txt
[ ! -e home ] || { echo "a stranger needs no home folder"; exit 1; }

# The key is replaced; what it signed before still counts, by a checkpoint of the new one. Whoever has the ring is told
# that what the old one signs may be made now.
cd "$folder/signer"
says 0 "has a new key" signer key rotate ana
says 0 "The chain's head is signed." signer checkpoint sign -o second.json
says 0 "The ring is written" signer key export --ring -o ring.json
says 0 "The public key is written." signer key export ana -o new.pem
cp home/chain.jsonl chain.jsonl
cp ring.json chain.jsonl first.json second.json new.pem "$folder/stranger"
cd "$folder/stranger"
says 1 "its key is retired" stranger verify contract.txt.sig.json --ring ring.json --domain ACME
says 0 "proven place" stranger verify contract.txt.sig.json --ring ring.json --domain ACME \
    --chain chain.jsonl --checkpoint second.json --log-key new.pem
says 1 "retired key" stranger verify contract.txt.sig.json --ring ring.json --domain ACME \
    --chain chain.jsonl --checkpoint first.json --log-key ana.pem

# The signer's chain grew from the one that the custodian knows; a cut one is found out.
cd "$folder/custodian"
cp "$folder/signer/home/chain.jsonl" grown.jsonl
says 0 "agrees with its checkpoint" custodian chain check grown.jsonl --checkpoint first.json --log-key ana.pem
head -n 1 grown.jsonl >cut.jsonl
says 1 "the chain was cut off" custodian chain check cut.jsonl --checkpoint first.json --log-key ana.pem

# The operator's ring is the one that the chain vouches for; an old copy is not, nor is the whole folder as it was.
cd "$folder/signer"
says 0 "agrees with its checkpoint" signer chain check --with-ring
cp -R home old
says 0 "is marked as revoked now" signer key state ana revoked
says 2 "was called back" signer checkpoint sign -o third.json
says 0 "has a new key" signer key rotate ana
says 0 "The chain's head is signed." signer checkpoint sign -o third.json
rm -R home/ring
cp -R old/ring home/ring
says 78 "the ring does not stand up to its chain" signer chain check --with-ring
rm -R home
mv old home
says 78 "is an old copy or another" signer chain check --with-ring
says 78 "is an old copy or another" signer sign contract.txt --force
echo "the story holds"
