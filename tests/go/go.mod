module dualseal.test/oracles

go 1.21

require golang.org/x/mod v0.7.0

// Debian's golang-golang-x-mod-dev.
replace golang.org/x/mod => /usr/share/gocode/src/golang.org/x/mod
