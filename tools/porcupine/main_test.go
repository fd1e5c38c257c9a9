package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/anishathalye/porcupine"
)

func op(client int, begin, end int64, do, value, said string) string {
	return fmt.Sprintf(`{"handle":"1234/1","client":%d,"do":%q,"value":%q,"said":%q,"begin":%d,"end":%d}`,
		client, do, value, said, begin, end)
}

func holds(t *testing.T, lines ...string) bool {
	t.Helper()
	histories, _, err := read(strings.NewReader(strings.Join(lines, "\n")))
	if err != nil {
		t.Fatal(err)
	}
	return porcupine.CheckOperations(handles, histories["1234/1"])
}

func TestHistories(t *testing.T) {
	create := op(1, 0, 10, "create", "a", "done")
	for _, each := range []struct {
		name  string
		holds bool
		lines []string
	}{
		{"one after the other", true, []string{create, op(2, 11, 20, "modify", "b", "done"), op(1, 21, 30, "read", "b", "done")}},
		{"an old value", false, []string{create, op(2, 11, 20, "modify", "b", "done"), op(1, 21, 30, "read", "a", "done")}},
		{"an old value beside the write", true, []string{create, op(2, 11, 20, "modify", "b", "done"), op(1, 19, 30, "read", "a", "done")}},
		{"back to the old value", false, []string{create, op(2, 11, 90, "modify", "b", "done"), op(1, 20, 30, "read", "b", "done"),
			op(3, 40, 50, "read", "a", "done")}},
		{"created twice", false, []string{create, op(2, 5, 12, "create", "b", "done")}},
		{"created again behind its deletion", true, []string{create, op(1, 11, 20, "delete", "", "done"), op(2, 15, 30, "create", "b", "done")}},
		{"lost", false, []string{create, op(2, 11, 20, "read", "", "missing")}},
		{"not told, and made late", true, []string{create, op(2, 11, 12, "modify", "b", "unknown"), op(1, 20, 30, "read", "a", "done"),
			op(1, 31, 40, "read", "b", "done")}},
		{"not told, and never made", true, []string{create, op(2, 11, 12, "delete", "", "unknown"), op(1, 20, 30, "read", "a", "done")}},
		{"not told, made, and undone", false, []string{create, op(2, 11, 12, "modify", "b", "unknown"), op(1, 20, 30, "read", "b", "done"),
			op(1, 31, 40, "read", "a", "done")}},
		{"changed where nothing is", false, []string{op(1, 0, 10, "modify", "a", "done")}},
		{"refused where nothing is", false, []string{op(1, 0, 10, "create", "a", "exists")}},
	} {
		if holds(t, each.lines...) != each.holds {
			t.Errorf("%s: not %v", each.name, each.holds)
		}
	}
}

func TestBadLines(t *testing.T) {
	for _, each := range []string{"{", `{"handle":""}`, op(1, 10, 0, "read", "", "done")} {
		if _, _, err := read(strings.NewReader(create(each))); err == nil || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%s: %v", each, err)
		}
	}
}

func create(next string) string {
	return op(1, 0, 10, "create", "a", "done") + "\n" + next
}
