// Package hallpass gives each test an issuer of its own, in one lab for all of them. Copy it.
//
// HALLPASS_URL and HALLPASS_LAB_TOKEN name a lab that is already running.
package hallpass

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
)

// Object is a JSON object.
type Object = map[string]any

// Issuer is an issuer, with the powers of its lab.
type Issuer struct {
	URL string
	t   testing.TB
}

// Main runs the tests of a package, and stops the lab that they have started:
//
//	func TestMain(m *testing.M) { hallpass.Main(m) }
func Main(m *testing.M) {
	code := m.Run()
	if lab != nil {
		lab.Process.Kill()
		lab.Wait()
	}
	os.Exit(code)
}

// New opens an issuer for a test, with the settings of a tenant, such as clients and users.
func New(t testing.TB, settings Object) *Issuer {
	t.Helper()
	server, err := start()
	if err != nil {
		t.Fatal("hallpass: ", err)
	}
	if settings == nil {
		settings = Object{}
	}
	tenant := call(t, "POST", server+"/lab/tenants", settings)
	t.Cleanup(func() { call(t, "DELETE", server+"/lab/tenants/"+fmt.Sprint(tenant["id"]), nil) })
	return &Issuer{URL: fmt.Sprint(tenant["issuer"]), t: t}
}

// Lab calls the lab: issuer.Lab("/clock", Object{"advance": "2h"}). A path may follow another method than POST:
// "PUT /users/zoe". GET /lab/openapi.json lists all paths.
func (issuer *Issuer) Lab(path string, body Object) Object {
	issuer.t.Helper()
	method, rest, found := strings.Cut(path, " ")
	if !found {
		method, rest = "POST", path
	}
	return call(issuer.t, method, issuer.URL+"/lab"+rest, body)
}

// Mint returns an access token, without a flow.
func (issuer *Issuer) Mint(options Object) string {
	issuer.t.Helper()
	return fmt.Sprint(issuer.Lab("/tokens", options)["access_token"])
}

// Authorize signs a user in at an authorization URL, gives consent, and returns the callback.
func (issuer *Issuer) Authorize(url, user string) string {
	issuer.t.Helper()
	return fmt.Sprint(issuer.Lab("/authorize", Object{"url": url, "user": user})["callback"])
}

// AssertClean fails the test if the client under test broke a rule.
func (issuer *Issuer) AssertClean() {
	issuer.t.Helper()
	if report := call(issuer.t, "GET", issuer.URL+"/lab/report", nil); report["clean"] != true {
		text, _ := json.MarshalIndent(report, "", "  ")
		issuer.t.Errorf("hallpass: %s", text)
	}
}

// AssertNoIdleFaults fails the test if a fault was never met, so that the test proves nothing.
func (issuer *Issuer) AssertNoIdleFaults() {
	issuer.t.Helper()
	report := call(issuer.t, "GET", issuer.URL+"/lab/report", nil)
	if idle, _ := report["idleFaults"].([]any); len(idle) > 0 {
		issuer.t.Errorf("hallpass: these faults were never met: %v", idle)
	}
}

var lab *exec.Cmd

// start returns the address of the lab, which it starts once.
var start = sync.OnceValues(func() (string, error) {
	if server := os.Getenv("HALLPASS_URL"); server != "" {
		return server, nil
	}
	command := exec.Command("hallpass", "lab", "--port", "0")
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := command.Start(); err != nil {
		return "", err
	}
	lab = command
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if _, server, found := strings.Cut(lines.Text(), "hallpass ready "); found {
			go io.Copy(io.Discard, output) // a full pipe would stop the lab
			return server, nil
		}
	}
	return "", fmt.Errorf("it ended before it was ready")
})

func call(t testing.TB, method, url string, body Object) (result Object) {
	t.Helper()
	var content io.Reader
	if body != nil {
		text, _ := json.Marshal(body)
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, content)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token := os.Getenv("HALLPASS_LAB_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	if response.StatusCode != 200 {
		t.Fatalf("hallpass: %s", text)
	}
	json.Unmarshal(text, &result)
	return result
}
