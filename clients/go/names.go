package guidepost

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"unicode/utf8"
)

const nameBytesMax = 2048

var (
	digitsForm = regexp.MustCompile(`^[0-9a-fA-F]{40}$`)
	uuidForm   = regexp.MustCompile(`^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$`)
	handleForm = regexp.MustCompile(`(?s)^(?:[0-9]+(?:\.[0-9]+)*|0\.[nN][aA])/.+$`)
	wordForm   = regexp.MustCompile(`^[!-~]{1,20}$`)
)

// GUID returns the 20 bytes under which GNRS knows a name: a GUID itself, a word of at most 20 characters, or the beginning of
// SHA-256 of its form (docs/clients.md). The name is to be in NFC, into which Go's standard library brings no text; [Client.Resolve]
// takes any, as the server is asked by the text where its GUID is not found.
func GUID(name string) ([20]byte, error) {
	var guid [20]byte
	rest := strings.TrimPrefix(name, "guid:")
	if digitsForm.MatchString(rest) {
		_, err := hex.Decode(guid[:], []byte(rest))
		return guid, err
	}
	handle := handleForm.MatchString(name)
	switch {
	case len(name) < 1 || len(name) > nameBytesMax || !utf8.ValidString(name):
		return guid, errorf(Invalid, "a name has 1 to %d bytes of UTF-8, not %d", nameBytesMax, len(name))
	case wordForm.MatchString(rest) && !handle:
		copy(guid[:], rest)
		return guid, nil
	case rest != name:
		return guid, errorf(Invalid, "guid: is followed by 40 hexadecimal digits or a word of at most 20 characters")
	case uuidForm.MatchString(name):
		name = strings.ToLower(name)
	case handle:
		name = strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return r - 'a' + 'A'
			}
			return r
		}, name)
	}
	sum := sha256.Sum256([]byte(name))
	copy(guid[:], sum[:])
	return guid, nil
}
