// A login, tested against Hallpass over HTTP, with the standard library alone.
package shop

import (
	"bufio"
	"bytes"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

type object = map[string]any

const callback = "https://shop.example/callback"

var server, lab = os.Getenv("HALLPASS_URL"), "Bearer " + os.Getenv("HALLPASS_LAB_TOKEN")

// TestMain starts a lab for these tests, unless one is already running.
func TestMain(m *testing.M) {
	if server == "" {
		command := exec.Command("hallpass", "lab", "--port", "0")
		output, _ := command.StdoutPipe()
		command.Stderr = os.Stderr
		command.Start()
		for lines := bufio.NewScanner(output); server == "" && lines.Scan(); {
			_, server, _ = strings.Cut(lines.Text(), "hallpass ready ")
		}
		go io.Copy(io.Discard, output) // a full pipe would stop the server
		defer command.Process.Kill()
	}
	m.Run()
}

// call sends JSON or a form; without a body, it sends a GET request.
func call(address string, body any, authorization string) (status int, result object) {
	method, kind := "POST", "application/json"
	text, _ := json.Marshal(body)
	if form, ok := body.(url.Values); ok {
		kind, text = "application/x-www-form-urlencoded", []byte(form.Encode())
	} else if body == nil {
		method, text = "GET", nil
	}
	request, _ := http.NewRequest(method, address, bytes.NewReader(text))
	request.Header = http.Header{"Content-Type": {kind}, "Authorization": {authorization}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		panic(err)
	}
	json.NewDecoder(response.Body).Decode(&result)
	return response.StatusCode, result
}

// logIn does what the application under test does; the lab plays the browser and the user.
func logIn(issuer string) (status int, tokens object) {
	verifier, state := rand.Text()+rand.Text(), rand.Text()
	hash := sha256.Sum256([]byte(verifier))
	ask := url.Values{"response_type": {"code"}, "client_id": {"shop"}, "redirect_uri": {callback}, "scope": {"openid"}, "state": {state},
		"code_challenge": {base64.RawURLEncoding.EncodeToString(hash[:])}, "code_challenge_method": {"S256"}}
	_, arrival := call(issuer+"/lab/authorize", object{"url": issuer + "/oauth2/authorize?" + ask.Encode(), "user": "alice"}, lab)
	arrived, _ := url.Parse(arrival["callback"].(string))
	if query := arrived.Query(); query.Get("state") != state || query.Get("iss") != issuer {
		return 0, nil // the response to a different request
	}
	return call(issuer+"/oauth2/token", url.Values{"grant_type": {"authorization_code"}, "code": {arrived.Query().Get("code")},
		"redirect_uri": {callback}, "code_verifier": {verifier}}, "Basic "+base64.StdEncoding.EncodeToString([]byte("shop:s3cret")))
}

func TestLogin(t *testing.T) {
	t.Parallel() // this test has its own issuer, with its own clock and faults
	shop := object{"id": "shop", "secret": "s3cret", "redirectUris": []string{callback}}
	_, tenant := call(server+"/lab/tenants", object{"clients": []object{shop}}, lab)
	issuer := tenant["issuer"].(string)
	defer assertClean(t, issuer)
	call(issuer+"/lab/faults", object{"name": "token.server_error", "times": 1}, lab)
	status, _ := logIn(issuer)
	expect(t, "the first login", status, 500)
	_, tokens := logIn(issuer)
	bearer := "Bearer " + fmt.Sprint(tokens["access_token"])
	_, person := call(issuer+"/oauth2/userinfo", nil, bearer)
	expect(t, "who is signed in", person["sub"], "alice")
	call(issuer+"/lab/clock", object{"advance": "2h"}, lab)
	status, _ = call(issuer+"/oauth2/userinfo", nil, bearer)
	expect(t, "the same two hours later", status, 401)
}

// assertClean fails with the rule, the request, the fix and a diagram; after a failure, for refused requests as well.
func assertClean(t *testing.T, issuer string) {
	text := fmt.Sprintf(`{"refused": %v}`, t.Failed())
	request, _ := http.NewRequest("POST", issuer+"/lab/assert-clean", strings.NewReader(text))
	request.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"text/plain"}, "Authorization": {lab}}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	if why, _ := io.ReadAll(response.Body); response.StatusCode != 200 {
		t.Error(string(why))
	}
}

func expect(t *testing.T, what string, got, want any) {
	if t.Helper(); got != want {
		t.Errorf("%s: got %v, want %v", what, got, want)
	}
}
