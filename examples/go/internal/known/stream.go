package known

import (
	"crypto/hkdf"
	"crypto/sha3"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
)

const chunk = 65_536

// Stream is what docs/FORMAT.md says of an encrypted stream.
func Stream(domain, identity, kind string, secret, salt, plain []byte) ([]byte, error) {
	info := fmt.Sprintf("%[1]s-VAULT::AEAD::%[2]s::%[3]s::%[1]s", domain, identity, kind)
	derived, err := hkdf.Key(sha3.New256, secret, salt, info, 64)
	if err != nil {
		return nil, err
	}
	made := slices.Concat([]byte("DSV1"), salt, derived[32:])
	for position := uint32(0); ; position++ {
		part := plain[:min(len(plain), chunk)]
		plain = plain[len(part):]
		nonce := binary.BigEndian.AppendUint32(make([]byte, 7), position)
		if len(plain) == 0 {
			return append(made, sealed(derived[:32], append(nonce, 1), part)...), nil
		}
		made = append(made, sealed(derived[:32], append(nonce, 0), part)...)
	}
}

// sealed is ChaCha20-Poly1305 (RFC 8439) without associated data.
func sealed(key, nonce, plain []byte) []byte {
	out := slices.Clone(plain)
	for at := 0; at < len(out); at += 64 {
		for i, b := range block(key, nonce, uint32(at/64+1)) {
			if at+i < len(out) {
				out[at+i] ^= b
			}
		}
	}
	padded := append(slices.Clone(out), make([]byte, -len(out)&15)...)
	padded = binary.LittleEndian.AppendUint64(append(padded, make([]byte, 8)...), uint64(len(out)))
	once := block(key, nonce, 0)
	return append(out, poly1305(once[:32], padded)...)
}

// block is one of ChaCha20.
func block(key, nonce []byte, counter uint32) (out [64]byte) {
	state := [16]uint32{0x61707865, 0x3320646e, 0x79622d32, 0x6b206574}
	for i := range 8 {
		state[4+i] = binary.LittleEndian.Uint32(key[4*i:])
	}
	state[12] = counter
	for i := range 3 {
		state[13+i] = binary.LittleEndian.Uint32(nonce[4*i:])
	}
	x := state
	quarter := func(a, b, c, d int) {
		for _, by := range [4][4]int{{a, b, d, 16}, {c, d, b, 12}, {a, b, d, 8}, {c, d, b, 7}} {
			x[by[0]] += x[by[1]]
			x[by[2]] = bits.RotateLeft32(x[by[2]]^x[by[0]], by[3])
		}
	}
	for range 10 {
		for i := range 4 {
			quarter(i, 4+i, 8+i, 12+i)
		}
		for i := range 4 {
			quarter(i, 4+(i+1)%4, 8+(i+2)%4, 12+(i+3)%4)
		}
	}
	for i := range x {
		binary.LittleEndian.PutUint32(out[4*i:], x[i]+state[i])
	}
	return out
}

// poly1305 is the tag over whole blocks.
func poly1305(once, blocks []byte) []byte {
	number := func(little []byte) *big.Int {
		first := slices.Clone(little)
		slices.Reverse(first)
		return new(big.Int).SetBytes(first)
	}
	clamped := slices.Clone(once[:16])
	for i, mask := range []byte{255, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15, 252, 255, 255, 15} {
		clamped[i] &= mask
	}
	one := big.NewInt(1)
	p := new(big.Int).Sub(new(big.Int).Lsh(one, 130), big.NewInt(5))
	r, total := number(clamped), new(big.Int)
	for at := 0; at < len(blocks); at += 16 {
		total.Add(total, number(append(slices.Clone(blocks[at:at+16]), 1)))
		total.Mod(total.Mul(total, r), p)
	}
	total.Add(total, number(once[16:]))
	tag := total.Mod(total, new(big.Int).Lsh(one, 128)).FillBytes(make([]byte, 16))
	slices.Reverse(tag)
	return tag
}
