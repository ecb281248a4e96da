package main

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"
)

type object = map[string]any

var (
	codes = map[int]string{400: "invalid-request", 401: "unauthenticated", 402: "export-limit", 403: "forbidden", 404: "not-found",
		405: "method-not-allowed", 409: "attempt-mismatch", 413: "body-too-large", 415: "unsupported-media-type",
		429: "rate-limited", 500: "internal-error", 502: "service-error", 503: "service-unavailable", 504: "service-timeout"}
	statuses = object{"pending": "processing", "in_progress": "processing", "completed": "ready", "failed": "error"}
	fields   = strings.Fields("id status src_url estimated_ready_at project_id created_at finished_at name author_id folder_id " +
		"descriptions watermarked")
	client = http.Client{Timeout: 30 * time.Second}
)

// problem is thrown (by panic) if a request cannot be answered, and becomes the answer.
type problem struct {
	status int
	more   object
}

func refuse(when bool, status int, code string) {
	if when {
		panic(problem{status, object{"code": code}})
	}
}

func invalid(when bool, path, message string) {
	if when {
		panic(problem{400, object{"code": codes[400], "errors": []object{{"path": path, "message": message}}}})
	}
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// call makes one call to the service, decodes it into value, and returns the headers; throws a problem if it fails.
func call(method, path, managed, missing string, paid bool, value any) http.Header {
	request := must(http.NewRequest(method, strings.TrimRight(os.Getenv("CLIP_SERVICE_URL"), "/")+path, strings.NewReader("{}")))
	request.Header = http.Header{"Authorization": {"Bearer " + os.Getenv("CLIP_API_KEY")}, "Content-Type": {"application/json"}}
	if managed != "" {
		request.Header.Set("X-On-Behalf-Of", managed)
	}
	status := 502
	answer, err := client.Do(request)
	if err == nil {
		defer answer.Body.Close()
		if status = answer.StatusCode; status < 300 && json.NewDecoder(answer.Body).Decode(value) == nil {
			return answer.Header
		}
	} else if err.(*url.Error).Timeout() {
		status = 504
	}
	refuse(status == 404 || (status == 400 && missing == "clip-not-found"), 404, missing)
	more := object{}
	if paid && (status < 400 || status >= 500 || status == 408) {
		more["unknown_outcome"] = true
	}
	if status != 402 && status != 429 && status != 503 && status != 504 {
		status = 502
	}
	more["code"] = codes[status]
	panic(problem{status, more})
}

func managedUser(user string) (managed string) {
	store.Lock()
	managed = store.Users[user]
	store.Unlock()
	if managed == "" {
		made := struct{ ID string }{}
		call("POST", "/users", "", "service-error", false, &made)
		change(func() {
			if store.Users[user] == "" {
				store.Users[user] = made.ID
			}
			managed = store.Users[user]
		})
	}
	return managed
}

func clipPath(clip map[string]string) string {
	if folder := clip["folder_id"]; folder != "" {
		return "/projects/" + url.PathEscape(folder) + "/" + url.PathEscape(clip["project_id"])
	}
	return "/projects/" + url.PathEscape(clip["project_id"])
}

func exportOf(value object) object {
	export := object{}
	for _, name := range fields {
		export[name] = value[name]
	}
	if status, old := statuses[value["status"].(string)]; old {
		export["status"] = status
	}
	return export
}

// exportsOf returns the list, and whether it is whole.
func exportsOf(managed string, query url.Values) (exports []object, whole bool) {
	var answer any
	header := call("GET", "/exports?"+query.Encode(), managed, "not-found", false, &answer)
	if wrapped, is := answer.(object); is {
		answer = wrapped["exports"]
	}
	exports = []object{}
	for _, one := range answer.([]any) {
		exports = append(exports, exportOf(one.(object)))
	}
	return exports, !strings.Contains(header.Get("Link"), "next")
}

func readExport(managed, id string, clip map[string]string) object {
	var export object
	call("GET", clipPath(clip)+"/exports/"+url.PathEscape(id), managed, "export-not-found", false, &export)
	return exportOf(export)
}
