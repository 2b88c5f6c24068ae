// Package oracles holds the library's trees and notes against Go's tlog and note, which other logs stand on. The
// library answers through the program log_peer, whose commands stand at the top of its source.
package oracles

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"
)

// ask has the library answer commands, one answer for each.
func ask(t *testing.T, commands []string) []string {
	t.Helper()
	folder := os.Getenv("DUALSEAL_PROGRAMS")
	if folder == "" {
		t.Fatal("DUALSEAL_PROGRAMS names no folder of built programs: run `cargo xtask test go`")
	}
	peer := exec.Command(filepath.Join(folder, "log_peer"))
	peer.Stdin = strings.NewReader(strings.Join(commands, "\n") + "\n")
	peer.Stderr = os.Stderr
	out, err := peer.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := peer.Start(); err != nil {
		t.Fatal(err)
	}
	answers, reader := make([]string, 0, len(commands)), bufio.NewReaderSize(out, 1<<20)
	for {
		line, err := reader.ReadString('\n')
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, strings.TrimSuffix(line, "\n"))
	}
	if err := peer.Wait(); err != nil {
		t.Fatal(err)
	}
	if len(answers) != len(commands) {
		t.Fatalf("%d answers to %d commands", len(answers), len(commands))
	}
	return answers
}

func askOne(t *testing.T, format string, arguments ...any) string {
	t.Helper()
	return ask(t, []string{fmt.Sprintf(format, arguments...)})[0]
}

func hexOf(hash tlog.Hash) string {
	return hex.EncodeToString(hash[:])
}

func listOf(hashes []tlog.Hash) string {
	if len(hashes) == 0 {
		return "-"
	}
	texts := make([]string, len(hashes))
	for i, hash := range hashes {
		texts[i] = hexOf(hash)
	}
	return strings.Join(texts, ",")
}

func hashesOf(t *testing.T, text string) []tlog.Hash {
	t.Helper()
	if text == "-" {
		return nil
	}
	var hashes []tlog.Hash
	for _, text := range strings.Split(text, ",") {
		hashes = append(hashes, hashOf(t, text))
	}
	return hashes
}

func hashOf(t *testing.T, text string) (hash tlog.Hash) {
	t.Helper()
	if copy(hash[:], bytesOf(t, text)) != tlog.HashSize {
		t.Fatalf("%q is no hash", text)
	}
	return hash
}

func bytesOf(t *testing.T, text string) []byte {
	t.Helper()
	bytes, err := hex.DecodeString(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return bytes
}

// log is a tree as Go's program keeps it; its leaves are the numbers from 0 in decimal.
type log struct {
	stored []tlog.Hash
	roots  []tlog.Hash
}

func newLog(t *testing.T, size int64) *log {
	t.Helper()
	l := &log{roots: make([]tlog.Hash, 1)}
	for n := int64(0); n < size; n++ {
		hashes, err := tlog.StoredHashes(n, leaf(n), l)
		if err != nil {
			t.Fatal(err)
		}
		l.stored = append(l.stored, hashes...)
		root, err := tlog.TreeHash(n+1, l)
		if err != nil {
			t.Fatal(err)
		}
		l.roots = append(l.roots, root)
	}
	return l
}

// ReadHashes makes it what Go's program proves from.
func (l *log) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	hashes := make([]tlog.Hash, len(indexes))
	for i, index := range indexes {
		hashes[i] = l.stored[index]
	}
	return hashes, nil
}

func leaf(n int64) []byte {
	return []byte(strconv.FormatInt(n, 10))
}
