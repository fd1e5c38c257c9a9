// Runs ../scenarios.txt with the client of Go against the server that the environment names.
package main

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"time"

	guidepost "guidepost.io/client"
	"guidepost.io/client/tour"
)

const patience = 20 * time.Second

type run struct {
	ctx     context.Context
	client  *guidepost.Client
	version string
	watch   *guidepost.Watch
	lease   *guidepost.Lease
}

func pairs(words []string) map[string]string {
	found := map[string]string{}
	for _, each := range words {
		key, value, _ := strings.Cut(each, "=")
		found[key] = value
	}
	return found
}

func words(value string) []string {
	if value == "-" {
		return nil
	}
	return strings.Split(value, ",")
}

func (r *run) open(given map[string]string) {
	setting := func(key, otherwise string) string {
		if value, ok := given[key]; ok {
			return value
		}
		return otherwise
	}
	millis := func(key, otherwise string) time.Duration {
		number, _ := strconv.Atoi(setting(key, otherwise))
		return time.Duration(number) * time.Millisecond
	}
	client, err := guidepost.New(guidepost.Config{
		Servers: words(setting("servers", os.Getenv("HTTP"))), GNRS: words(setting("gnrs", os.Getenv("GNRS"))), ALTO: os.Getenv("ALTO"),
		Token:   strings.Join(words(setting("token", os.Getenv("TOKEN"))), ""),
		Timeout: millis("timeout", "5000"), HedgeAfter: millis("hedge", "100"),
	})
	if err != nil {
		panic(err)
	}
	r.client = client
}

func parsePlaces(words []string) []guidepost.Place {
	places := guidepost.At(words...)
	for i, each := range words {
		parts := strings.Split(each, ";")
		labels := pairs(parts[1:])
		places[i].Address = parts[0]
		if ttl, ok := labels["ttl"]; ok {
			seconds, _ := strconv.ParseFloat(ttl, 64)
			places[i].TTL = time.Duration(seconds * float64(time.Second))
		}
		if text, ok := labels["weight"]; ok {
			weight, _ := strconv.Atoi(text)
			places[i].Weight = &weight
		}
		delete(labels, "ttl")
		delete(labels, "weight")
		places[i].Labels = labels
	}
	return places
}

func text(place guidepost.Place) string {
	out := place.Address
	if place.TTL != 0 {
		out += ";ttl=" + strconv.FormatFloat(place.TTL.Seconds(), 'f', -1, 64)
	}
	if place.Weight != nil {
		out += ";weight=" + strconv.Itoa(*place.Weight)
	}
	var labels []string
	for key, value := range place.Labels {
		labels = append(labels, ";"+key+"="+value)
	}
	sort.Strings(labels)
	return out + strings.Join(labels, "")
}

func addresses(places []guidepost.Place, err error) ([]string, error) {
	var found []string
	for _, each := range places {
		found = append(found, each.Address)
	}
	return found, err
}

func (r *run) until(condition func(guidepost.LeaseState) bool) ([]string, error) {
	for end := time.Now().Add(patience); !condition(r.lease.State()); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			return []string{fmt.Sprint("not in time: ", r.lease.State().Err)}, nil
		}
	}
	return nil, nil
}

func control(word string) error {
	response, err := http.Post(os.Getenv("CONTROL")+"/"+word, "text/plain", nil)
	if err == nil {
		err = response.Body.Close()
	}
	return err
}

func guid(name string) string {
	found, err := guidepost.GUID(name)
	if err != nil {
		panic(err)
	}
	return hex.EncodeToString(found[:])
}

func (r *run) act(line []string) ([]string, error) {
	action, all := line[0], line[1:]
	name := strings.Join(all[:min(1, len(all))], "")
	rest := all[min(1, len(all)):]
	number, _ := strconv.Atoi(name)
	seen := func(record *guidepost.Record, err error) ([]string, error) {
		if err == nil {
			r.version = record.Version
		}
		return nil, err
	}
	switch action {
	case "client":
		r.open(pairs(all))
	case "put":
		return seen(r.client.Put(r.ctx, name, parsePlaces(rest)))
	case "create":
		_, err := r.client.Put(r.ctx, name, parsePlaces(rest), guidepost.IfAbsent())
		return nil, err
	case "replace":
		return seen(r.client.Put(r.ctx, name, parsePlaces(rest), guidepost.IfVersion(r.version)))
	case "add":
		_, err := r.client.Add(r.ctx, name, parsePlaces(rest)...)
		return nil, err
	case "remove":
		removed, err := r.client.Remove(r.ctx, name, rest...)
		if err != nil || len(rest) > 0 {
			return nil, err
		}
		if removed {
			return []string{"removed"}, nil
		}
		return []string{"nothing"}, nil
	case "get":
		record, err := r.client.Get(r.ctx, name)
		if record == nil {
			return []string{"nothing"}, err
		}
		r.version = record.Version
		var found []string
		for _, each := range record.Places {
			found = append(found, text(each))
		}
		return found, err
	case "resolve":
		return addresses(r.client.Resolve(r.ctx, name))
	case "nearest":
		return addresses(r.client.ResolveNearest(r.ctx, name, rest[0]))
	case "list":
		var found []string
		err := r.client.List(r.ctx, name, func(record guidepost.Record) bool {
			found = append(found, record.Name)
			return true
		})
		return found, err
	case "rank":
		return r.client.Rank(r.ctx, all, "")
	case "guid":
		return []string{guid(name)}, nil
	case "watch":
		r.watch = r.client.Watch(r.ctx, name)
	case "next":
		change, err := r.watch.Next()
		told := strings.TrimSpace(change.Kind + " " + change.Name)
		if change.Record != nil {
			for _, each := range change.Record.Places {
				told += " " + each.Address
			}
		}
		return []string{told}, err
	case "unwatch":
		r.watch.Close()
	case "lease":
		r.lease = r.client.Lease(time.Duration(number) * time.Second)
	case "hold":
		return nil, r.lease.Add(r.ctx, name, parsePlaces(rest)...)
	case "release":
		return nil, r.lease.Remove(r.ctx, name)
	case "end":
		return nil, r.lease.Close(r.ctx)
	case "renewed":
		return r.until(func(state guidepost.LeaseState) bool { return state.Renewed >= number })
	case "lost":
		return r.until(func(state guidepost.LeaseState) bool { return state.Lost >= number })
	case "lose":
		return nil, control("lose?" + r.lease.State().ID)
	case "control":
		return nil, control(name)
	default:
		panic("no such action: " + action)
	}
	return nil, nil
}

func (r *run) given(action string) []string {
	given, err := r.act(strings.Split(action, " "))
	var failed *guidepost.Error
	if errors.As(err, &failed) {
		return []string{"! " + string(failed.Kind) + ": " + failed.Message}
	} else if err != nil {
		return []string{"! " + err.Error()}
	}
	return given
}

func fits(wanted, given []string) bool {
	if len(wanted) != len(given) {
		return false
	}
	for i := range wanted {
		kind, part, _ := strings.Cut(wanted[i], ":")
		if strings.HasPrefix(kind, "! ") {
			if !strings.HasPrefix(given[i], kind+":") || !strings.Contains(given[i], strings.TrimSpace(part)) {
				return false
			}
		} else if wanted[i] != given[i] {
			return false
		}
	}
	return true
}

func play(lines []string) string {
	r := &run{ctx: context.Background()}
	r.open(nil)
	for at := 0; at < len(lines); {
		action := lines[at]
		var wanted []string
		for at++; at < len(lines) && strings.HasPrefix(lines[at], ">"); at++ {
			wanted = append(wanted, lines[at][2:])
		}
		bare := strings.TrimPrefix(action, "await ")
		given := r.given(bare)
		for end := time.Now().Add(patience); bare != action && !fits(wanted, given) && time.Now().Before(end); {
			given = r.given(bare)
		}
		if !fits(wanted, given) {
			return fmt.Sprintf("'%s' gave %q, not %q", action, given, wanted)
		}
	}
	return ""
}

var (
	word   = regexp.MustCompile(`\$[A-Z]+`)
	guidOf = regexp.MustCompile(`@\S+`)
)

func main() {
	file, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	failed := false
	for _, each := range strings.Split("\n"+string(file), "\n== ")[1:] {
		title, rest, _ := strings.Cut(each, "\n")
		var lines []string
		for _, line := range strings.Split(rest, "\n") {
			if line != "" {
				line = word.ReplaceAllStringFunc(line, func(word string) string {
					if word == "$L" {
						return "go"
					}
					return os.Getenv(word[1:])
				})
				lines = append(lines, guidOf.ReplaceAllStringFunc(line, func(name string) string { return guid(name[1:]) }))
			}
		}
		if wrong := play(lines); wrong != "" {
			failed = true
			fmt.Printf("FAILED %s: %s\n", title, wrong)
		} else {
			fmt.Printf("ok %s\n", title)
		}
	}
	told, err := tour.Run(context.Background(), os.Getenv("HTTP"), os.Getenv("GNRS"), os.Getenv("TOKEN"))
	if err != nil {
		panic(err)
	}
	fmt.Println("ok tour: " + strings.Join(told, ", "))
	if failed {
		os.Exit(1)
	}
}
