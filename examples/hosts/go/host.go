// The host contract of clip-kit in plain Go: one process that answers everything below /clips.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"mime"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

var (
	routes   = map[string]string{"token": "POST", "exports": "GET POST", "exports/*": "GET", "exports/*/download": "GET"}
	keyShape = regexp.MustCompile(`^[A-Za-z0-9._-]{8,128}$`)
)

// has reports whether the word is in the list, which separates words with spaces.
func has(list, word string) bool {
	for _, one := range strings.Fields(list) {
		if one == word {
			return true
		}
	}
	return false
}

func isID(text string) bool {
	return text != "" && text != "." && text != ".." && utf8.ValidString(text)
}

// checked returns the values by name: all required values, and no unknown ones.
func checked(values object, required, optional string) map[string]string {
	found := map[string]string{}
	for name, value := range values {
		invalid(!has(required, name) && !has(optional, name), name, "unknown field")
		text, is := value.(string)
		invalid(!is || !isID(text), name, "must be an id")
		found[name] = text
	}
	for _, name := range strings.Fields(required) {
		invalid(found[name] == "", name, "is missing")
	}
	return found
}

func single(query url.Values) object {
	values := object{}
	for name, all := range query {
		invalid(len(all) != 1, name, "must be given once")
		values[name] = all[0]
	}
	return values
}

func bodyOf(r *http.Request) (body object) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	refuse(kind != "application/json", 415, codes[415])
	text := must(io.ReadAll(io.LimitReader(r.Body, 65537)))
	refuse(len(text) > 65536, 413, codes[413])
	err := json.Unmarshal(text, &body)
	invalid(err != nil || body == nil, "", "must be a JSON object")
	return body
}

// userOf returns the logged-in user. Put your own session here. The demo's cookie is session=NAME.SIGNATURE.
func userOf(r *http.Request) string {
	cookie, err := r.Cookie("session")
	refuse(err != nil, 401, codes[401])
	name, signature, _ := strings.Cut(cookie.Value, ".")
	sum := hmac.New(sha256.New, []byte(os.Getenv("SESSION_SECRET")))
	sum.Write([]byte(name))
	refuse(!hmac.Equal([]byte(hex.EncodeToString(sum.Sum(nil))), []byte(signature)), 401, codes[401])
	return name
}

func trusted(r *http.Request) bool {
	own := os.Getenv("SITE_ORIGIN")
	if own == "" {
		own = "http://" + r.Host
	}
	site := r.Header.Get("Sec-Fetch-Site")
	return site == "same-origin" || (site == "" && r.Header.Get("Origin") == own)
}

// answer returns the status and the body, and sets the headers that only some answers have.
func answer(r *http.Request, header http.Header) (int, any) {
	path, _, _ := strings.Cut(r.RequestURI, "?")
	parts := strings.Split(strings.TrimPrefix(path, "/clips/"), "/")
	id := "none"
	if len(parts) > 1 && parts[0] == "exports" {
		id, _ = url.PathUnescape(parts[1])
		parts[1] = "*"
	}
	methods := routes[strings.Join(parts, "/")]
	refuse(methods == "" || !isID(id) || !strings.HasPrefix(path, "/clips/"), 404, codes[404])
	refuse(!has(methods, r.Method), 405, codes[405])
	refuse(r.Method == "POST" && !trusted(r), 403, codes[403])
	user := userOf(r)
	// By this tag, a browser tells its accounts apart. It is a hash, so the id is not stored there.
	header.Set("Clip-Account", fmt.Sprintf("%x", sha256.Sum256([]byte("account "+user)))[:16])
	// The page shows another account: what was clicked there is not for this user.
	shown := r.Header.Get("Clip-Account")
	refuse(shown != "" && shown != header.Get("Clip-Account"), 409, "account-changed")
	managed, query := managedUser(user), r.URL.Query()
	switch {
	case parts[0] == "token":
		checked(bodyOf(r), "", "project_id")
		var token object
		call("POST", "/users/"+url.PathEscape(managed)+"/tokens", "", "service-error", false, &token)
		return 200, object{"external_access_token": token["external_access_token"]}
	case r.Method == "POST":
		clip := checked(bodyOf(r), "project_id", "folder_id")
		key := r.Header.Get("Idempotency-Key")
		invalid(!keyShape.MatchString(key), "Idempotency-Key", "must be 8 to 128 characters of A-Z a-z 0-9 . _ -")
		return start(managed, user+" "+key, clip)
	case id != "none":
		name := ""
		if len(parts) == 3 {
			name = query.Get("name")
			query.Del("name")
		}
		export := readExport(managed, id, checked(single(query), "project_id", "folder_id"))
		if len(parts) == 2 {
			return 200, export
		}
		refuse(export["status"] != "ready", 404, "export-not-found")
		return openFile(managed, export, name, r.Header)
	case query.Has("id"):
		invalid(len(query) > 1 || len(query["id"]) > 200, "id", "must be 1 to 200 ids")
		found, wanted := []object{}, map[any]bool{}
		for _, id := range query["id"] {
			invalid(!isID(id), "id", "must be an id")
			wanted[id] = true
		}
		exports, _ := exportsOf(managed, nil)
		for _, export := range exports {
			if wanted[export["id"]] {
				found = append(found, export)
			}
		}
		return 200, found
	case query.Has("attempt"):
		key := checked(single(query), "attempt", "")["attempt"]
		status, exports, promised := attemptNow(managed, user+" "+key)
		if promised {
			header.Set("Idempotency-Key", key)
		}
		return status, exports
	}
	checked(single(query), "", "project_id folder_id")
	exports, _ := exportsOf(managed, query)
	return 200, exports
}

func serve(w http.ResponseWriter, r *http.Request) {
	status, value := 0, any(nil)
	func() {
		defer func() {
			if thrown := recover(); thrown != nil {
				known, is := thrown.(problem)
				if !is {
					log.Printf("clip host: %T", thrown)
					known = problem{500, object{"code": codes[500]}}
				}
				status, value = known.status, known.more
				known.more["status"], known.more["title"] = status, codes[status]
			}
		}()
		status, value = answer(r, w.Header())
	}()
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Type", "application/json")
	if status >= 400 {
		header.Set("Content-Type", "application/problem+json")
	}
	if status == 429 {
		header.Set("Retry-After", "5")
	}
	if file, is := value.(*file); is {
		defer file.Body.Close()
		file.setHeaders(header)
		w.WriteHeader(status)
		io.Copy(w, file.Body)
		return
	}
	w.WriteHeader(status)
	json.NewEncoder(w).Encode(value)
}

func main() {
	for name, normal := range map[string]string{"CLIP_DATABASE": "clips.json", "PORT": "8000"} {
		if os.Getenv(name) == "" {
			os.Setenv(name, normal)
		}
	}
	for _, name := range []string{"CLIP_SERVICE_URL", "CLIP_API_KEY", "SESSION_SECRET"} {
		if os.Getenv(name) == "" {
			log.Fatal(name + " is not set")
		}
	}
	if kept, err := os.ReadFile(os.Getenv("CLIP_DATABASE")); err == nil {
		must(0, json.Unmarshal(kept, &store))
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Getenv("PORT"), http.HandlerFunc(serve)))
}
