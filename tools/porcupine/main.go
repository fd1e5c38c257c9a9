// Command porcupine says whether what clients were told of handles is linearizable, handle by handle.
//
//	go run . [-html FILE] HISTORY
//
// A history is what guidepost prove --fleet 3 --history HISTORY writes: a line of JSON for each operation. One whose outcome the client
// was not told may have been made at any time after it began, or never.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"time"

	"github.com/anishathalye/porcupine"
)

// Operation is a line of a history; times are nanoseconds of one clock.
type Operation struct {
	Handle string `json:"handle"`
	Client int    `json:"client"`
	Do     string `json:"do"`    // create, modify, delete or read
	Value  string `json:"value"` // that is written, or was read
	Said   string `json:"said"`  // done, exists, missing or unknown
	Begin  int64  `json:"begin"`
	End    int64  `json:"end"`
}

// step says what a handle that has a value, or "" if it is not there, has behind an operation, and whether the answer can be.
func step(there string, op Operation) (bool, string) {
	switch op.Said {
	case "exists":
		return there != "", there
	case "missing":
		return there == "", there
	}
	certain := op.Said == "done"
	switch op.Do {
	case "create":
		if there != "" {
			return !certain, there
		}
		return true, op.Value
	case "modify":
		if there == "" {
			return !certain, there
		}
		return true, op.Value
	case "delete":
		return there != "" || !certain, ""
	default:
		return there == op.Value, there
	}
}

var handles = porcupine.Model{
	Init: func() interface{} { return "" },
	Step: func(state, input, _ interface{}) (bool, interface{}) {
		return step(state.(string), input.(Operation))
	},
	DescribeOperation: func(input, _ interface{}) string {
		op := input.(Operation)
		return fmt.Sprintf("%s %s: %s", op.Do, op.Value, op.Said)
	},
}

func read(in io.Reader) (map[string][]porcupine.Operation, int, error) {
	byHandle := map[string][]porcupine.Operation{}
	lines := bufio.NewScanner(in)
	count := 0
	for lines.Scan() {
		count++
		var op Operation
		if err := json.Unmarshal(lines.Bytes(), &op); err != nil {
			return nil, 0, fmt.Errorf("line %d is no operation: %w", count, err)
		}
		if op.Handle == "" || op.End < op.Begin {
			return nil, 0, fmt.Errorf("line %d has no handle, or ends before it begins", count)
		}
		if op.Said == "unknown" {
			op.End = math.MaxInt64
		}
		byHandle[op.Handle] = append(byHandle[op.Handle],
			porcupine.Operation{ClientId: op.Client, Input: op, Call: op.Begin, Return: op.End})
	}
	return byHandle, count, lines.Err()
}

func main() {
	html := flag.String("html", "", "draw the first history that is not linearizable into `FILE`")
	patience := flag.Duration("patience", time.Minute, "for each handle")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	file, err := os.Open(flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	defer file.Close()
	byHandle, count, err := read(file)
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", flag.Arg(0), err)
		os.Exit(2)
	}
	names := make([]string, 0, len(byHandle))
	for each := range byHandle {
		names = append(names, each)
	}
	sort.Strings(names)
	failed := 0
	for _, each := range names {
		result, info := porcupine.CheckOperationsVerbose(handles, byHandle[each], *patience)
		if result == porcupine.Ok {
			continue
		}
		failed++
		fmt.Printf("%s: %s, of %d operations\n", each, result, len(byHandle[each]))
		if *html != "" && failed == 1 {
			if err := porcupine.VisualizePath(handles, info, *html); err != nil {
				fmt.Fprintln(os.Stderr, err)
			}
		}
	}
	fmt.Printf("%d operations on %d handles, %d of them not linearizable\n", count, len(names), failed)
	if failed > 0 || count == 0 {
		os.Exit(1)
	}
}
