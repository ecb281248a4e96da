package main

import (
	"errors"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"time"
)

// file is the answer with the bytes of an export, and what to call it.
type file struct {
	*http.Response
	name string
}

var (
	publicName  = regexp.MustCompile(`\.[a-z][a-z0-9-]*\.?$`)
	networkName = regexp.MustCompile(`\.(localhost|local|internal|lan|home\.arpa)\.?$`)
	// What ends a header or a path, what Windows refuses, and what changes the direction of text.
	unsafe   = regexp.MustCompile("[\\p{Cc}\\p{Zl}\\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\"*/:<>?\\\\|]")
	notASCII = regexp.MustCompile(`[^A-Za-z0-9._-]`)
	isText   = regexp.MustCompile(`(?i)^(text/|application/([\w.+-]+\+)?json\b)`)
	// Without a limit on the whole download.
	files = http.Client{
		Transport: &http.Transport{ResponseHeaderTimeout: 30 * time.Second, DisableCompression: true},
		CheckRedirect: func(to *http.Request, via []*http.Request) error {
			from := via[len(via)-1].URL
			if via[0].Header.Get("Authorization") != "" || len(via) > 5 || (isPublic(from) && !isPublic(to.URL)) {
				return errors.New("the redirect is not followed")
			}
			return nil
		},
	}
)

// isPublic reports whether it is a name of the public internet, and not an IP address or a name inside of a network.
func isPublic(at *url.URL) bool {
	name := strings.ToLower(at.Hostname())
	return publicName.MatchString(name) && !networkName.MatchString(name)
}

// openFile gets the file at its public address, without the key, or by the service's own download.
func openFile(managed string, export object, name string, asked http.Header) (int, any) {
	if name == "" {
		name, _ = export["name"].(string)
	}
	part := http.Header{"Accept-Encoding": {"identity"}, "Range": asked["Range"], "If-Range": asked["If-Range"]}
	own := strings.TrimRight(os.Getenv("CLIP_SERVICE_URL"), "/") + "/projects/" + url.PathEscape(export["project_id"].(string)) +
		"/download?export_id=" + url.QueryEscape(export["id"].(string))
	address, _ := export["src_url"].(string)
	for _, from := range []string{address, own} {
		request, err := http.NewRequest("GET", from, nil)
		if err != nil || (request.URL.Scheme != "http" && request.URL.Scheme != "https") {
			continue
		}
		request.Header = part.Clone()
		if from == own {
			request.Header.Set("Authorization", "Bearer "+os.Getenv("CLIP_API_KEY"))
			request.Header.Set("X-On-Behalf-Of", managed)
		}
		answer, err := files.Do(request)
		if err != nil {
			continue
		}
		isFile := answer.StatusCode == 200 || answer.StatusCode == 206
		if answer.StatusCode == 416 || (isFile && answer.Header.Get("Content-Encoding") == "" && !isText.MatchString(answer.Header.Get("Content-Type"))) {
			return answer.StatusCode, &file{answer, name}
		}
		answer.Body.Close()
	}
	panic(problem{502, object{"code": codes[502]}})
}

func (one *file) setHeaders(header http.Header) {
	for _, name := range []string{"Accept-Ranges", "Content-Length", "Content-Range", "Etag", "Last-Modified"} {
		if value := one.Header.Get(name); value != "" {
			header.Set(name, value)
		}
	}
	stem := unsafe.ReplaceAllString(strings.TrimSuffix(strings.ToValidUTF8(one.name, "_"), ".mp4"), "_")
	if letters := []rune(stem); len(letters) > 80 {
		stem = string(letters[:80])
	}
	if stem = strings.Trim(stem, " ."); stem == "" {
		stem = "clip"
	}
	header.Set("Content-Type", "video/mp4")
	header.Set("Content-Disposition", `attachment; filename="`+notASCII.ReplaceAllString(stem, "_")+`.mp4"; filename*=UTF-8''`+
		strings.ReplaceAll(url.QueryEscape(stem), "+", "%20")+".mp4")
}
