package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
)

var user string

func userOf(*http.Request) string { return user }

func main() {
	for _, user = range os.Args[1:] {
		answer := httptest.NewRecorder()
		clipSession(answer, httptest.NewRequest("GET", "/clip-session", nil))
		body := strings.TrimSpace(answer.Body.String())
		fmt.Printf("%d [%s] %s\n", answer.Code, answer.Header().Get("Cache-Control"), body)
	}
}
