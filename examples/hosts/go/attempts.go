package main

import (
	"bytes"
	"encoding/json"
	"net/url"
	"os"
	"sort"
	"sync"
	"time"
)

type attempt struct {
	Request map[string]string
	Started time.Time
	Export  string
	running chan struct{} // Closed when the start has ended; nil for a start of an earlier process.
}

// store must outlive the process. Only this process writes it, to a file at each change.
var store = struct {
	sync.Mutex
	Users    map[string]string
	Attempts map[string]*attempt
}{Users: map[string]string{}, Attempts: map[string]*attempt{}}

// change runs with the store locked, writes the whole store to a new file, and then replaces the old one.
func change(what func()) {
	store.Lock()
	defer store.Unlock()
	what()
	name := os.Getenv("CLIP_DATABASE")
	file := must(os.Create(name + ".new"))
	must(file.Write(must(json.Marshal(&store))))
	must(0, file.Sync())
	must(0, file.Close())
	must(0, os.Rename(name+".new", name))
}

// window: a start that was sent so recently may still be carried out, whatever became of its sender.
const window = 2 * time.Minute

func (one *attempt) isFresh() bool { return time.Since(one.Started) <= window }

// fits reports whether the attempt can have started the export, by its time. One minute for clocks that differ.
func (one *attempt) fits(export object) bool {
	created := must(time.Parse(time.RFC3339, export["created_at"].(string)))
	return created.After(one.Started.Add(-time.Minute)) && created.Before(one.Started.Add(window+time.Minute))
}

// settle finds the export of an attempt: the stored one, otherwise the clip's oldest that only this attempt can have started.
// Without one, sure reports whether the service has shown everything that the attempt can have started.
func settle(managed string, one *attempt) (found object, sure bool) {
	store.Lock()
	id := one.Export
	store.Unlock()
	if id != "" {
		return readExport(managed, id, one.Request), true
	}
	exports, whole := exportsOf(managed, url.Values{"project_id": {one.Request["project_id"]}})
	// The service's dates are ISO 8601 in UTC, so they sort as text.
	sort.Slice(exports, func(i, j int) bool { return exports[i]["created_at"].(string) < exports[j]["created_at"].(string) })
	sure = whole
	change(func() {
		taken := map[any]bool{}
		for _, other := range store.Attempts {
			taken[other.Export] = true
		}
		for _, export := range exports {
			if found != nil || taken[export["id"]] || export["project_id"] != one.Request["project_id"] || !one.fits(export) {
				continue
			}
			alone := true
			for _, other := range store.Attempts {
				same := other.Request["project_id"] == one.Request["project_id"]
				alone = alone && (other == one || !same || other.Export != "" || !other.fits(export))
			}
			if sure = sure && alone; alone {
				found, one.Export = export, export["id"].(string)
			}
		}
	})
	return found, sure
}

// claim creates the attempt for the only request that may start; a later request gets the export, once it is known.
func claim(managed, name string, clip map[string]string) (mine *attempt, found object) {
	for {
		var known *attempt
		change(func() {
			for old, one := range store.Attempts {
				if time.Since(one.Started) > 48*time.Hour {
					delete(store.Attempts, old)
				}
			}
			if known = store.Attempts[name]; known == nil {
				mine = &attempt{Request: clip, Started: time.Now(), running: make(chan struct{})}
				store.Attempts[name] = mine
			}
		})
		if known == nil {
			return mine, nil
		}
		refuse(!bytes.Equal(must(json.Marshal(known.Request)), must(json.Marshal(clip))), 409, codes[409])
		if known.running != nil {
			<-known.running // Another request is starting it now.
		}
		store.Lock()
		gone := store.Attempts[name] != known
		store.Unlock()
		if gone {
			continue // It was refused.
		}
		found, sure := settle(managed, known)
		if found != nil {
			return nil, found
		}
		if known.isFresh() || !sure {
			panic(problem{504, object{"code": codes[504], "unknown_outcome": true}})
		}
		// Nothing was started, and no request is working on it: the key is free.
		change(func() {
			if store.Attempts[name] == known && known.Export == "" {
				delete(store.Attempts, name)
			}
		})
	}
}

// attemptNow returns the result of an attempt: its export, or 202 while its start may still be carried out. Promised: without
// an export, nothing was started, and a later start with the key is carried out at most once.
func attemptNow(managed, name string) (status int, exports any, promised bool) {
	store.Lock()
	one := store.Attempts[name]
	store.Unlock()
	if one == nil {
		return 200, []object{}, true
	}
	if export, _ := settle(managed, one); export != nil {
		return 200, []object{export}, true
	}
	if one.isFresh() {
		return 202, []object{}, false
	}
	return 200, []object{}, false
}

func start(managed, name string, clip map[string]string) (int, any) {
	mine, found := claim(managed, name, clip)
	if found != nil {
		return 200, found
	}
	defer close(mine.running)
	var started object
	func() {
		defer func() {
			thrown := recover()
			if known, is := thrown.(problem); is && known.more["unknown_outcome"] == nil {
				change(func() {
					if store.Attempts[name] == mine {
						delete(store.Attempts, name) // Refused: nothing was started, and the key is free.
					}
				})
			}
			if thrown != nil {
				panic(thrown)
			}
		}()
		call("POST", clipPath(clip)+"/exports", managed, "clip-not-found", true, &started)
	}()
	change(func() { mine.Export = started["id"].(string) })
	if started["project_id"] == nil {
		return 201, readExport(managed, mine.Export, clip)
	}
	return 201, exportOf(started)
}
