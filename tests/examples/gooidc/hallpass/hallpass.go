// Package hallpass gives each test an issuer of its own, in one lab for all of them. Copy it.
//
// HALLPASS_URL and HALLPASS_LAB_TOKEN name a lab that is already running, HALLPASS_CA the file with
// the certificate to trust if it listens with https.
package hallpass

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Object is a JSON object.
type Object = map[string]any

// Issuer is an issuer, with the powers of its lab.
type Issuer struct {
	URL    string
	lab    string // where its lab is
	t      testing.TB
	client *http.Client

	isExplained *bool // whether the test has failed with what the lab saw
}

// Option changes the lab in which an issuer is opened. Issuers with the same options share a lab.
type Option func(*setup)

// TLS makes the lab listen with https, with a certificate for a day that issuer.Client trusts.
func TLS() Option {
	return func(setup *setup) { setup.args = append(setup.args, "--tls") }
}

// Certificate makes the lab listen with https, with a certificate in PEM that clients must trust.
func Certificate(certFile, keyFile string) Option {
	return func(setup *setup) {
		cert, key := absolute(certFile), absolute(keyFile)
		setup.args, setup.trust = append(setup.args, "--cert", cert, "--key", key), cert
	}
}

// Args passes options to the program: hallpass.Args("--profile", "fapi-2.0").
func Args(args ...string) Option {
	return func(setup *setup) { setup.args = append(setup.args, args...) }
}

// New opens an issuer for a test, with the settings of a tenant, such as clients and users. A test
// that fails logs what the lab refused. The lab ends with the process of the tests.
func New(t testing.TB, settings Object, options ...Option) *Issuer {
	t.Helper()
	lab := Lab(t, options...)
	if settings == nil {
		settings = Object{}
	}
	tenant := lab.Lab("/tenants", settings)
	issuer := lab.tenant(tenant)
	t.Cleanup(func() {
		// A test that stopped before it asked does not know why: the lab does.
		if t.Failed() && !*issuer.isExplained {
			t.Log("hallpass:", issuer.Explain())
		}
		lab.Lab("DELETE /tenants/"+fmt.Sprint(tenant["id"]), nil)
	})
	return issuer
}

// Lab returns the lab itself, which all tests share that pass the same options.
func Lab(t testing.TB, options ...Option) *Issuer {
	t.Helper()
	var setup setup
	for _, option := range options {
		option(&setup)
	}
	lab, err := find(setup)
	if err != nil {
		t.Fatal("hallpass:", err)
	}
	return &Issuer{URL: lab.url, lab: lab.url + "/lab", t: t, client: lab.client, isExplained: new(bool)}
}

// At returns another issuer of the same lab, which has it as a tenant.
func (issuer *Issuer) At(url string) *Issuer {
	issuer.t.Helper()
	for _, tenant := range issuer.List("/tenants") {
		if tenant["issuer"] == url {
			return issuer.tenant(tenant)
		}
	}
	issuer.t.Fatal("hallpass: no tenant has the issuer ", url)
	return nil
}

func (issuer *Issuer) tenant(tenant Object) *Issuer {
	url, lab := fmt.Sprint(tenant["issuer"]), fmt.Sprint(tenant["lab"])
	return &Issuer{URL: url, lab: lab, t: issuer.t, client: issuer.client, isExplained: issuer.isExplained}
}

// Client returns a client that trusts the certificate of the lab:
//
//	ctx := oidc.ClientContext(context.Background(), issuer.Client())
func (issuer *Issuer) Client() *http.Client { return issuer.client }

// Lab calls the lab: issuer.Lab("/clock", Object{"advance": "2h"}). A path may follow another method than POST:
// "PUT /users/zoe". GET /lab/openapi.json lists all paths.
func (issuer *Issuer) Lab(path string, body Object) (result Object) {
	issuer.t.Helper()
	method, rest, found := strings.Cut(path, " ")
	if !found {
		method, rest = "POST", path
	}
	issuer.call(method, rest, body, &result)
	return result
}

// List returns what the lab lists: issuer.List("/requests"), issuer.List("/flows").
func (issuer *Issuer) List(path string) (result []Object) {
	issuer.t.Helper()
	issuer.call("GET", path, nil, &result)
	return result
}

// Mint returns a token without a flow: an access token, or that of the kind in the options.
func (issuer *Issuer) Mint(options Object) string {
	issuer.t.Helper()
	return fmt.Sprint(issuer.Lab("/tokens", options)["token"])
}

// Authorize signs a user in at an authorization URL, gives consent, and returns the callback.
func (issuer *Issuer) Authorize(url, user string) string {
	issuer.t.Helper()
	return fmt.Sprint(issuer.Lab("/authorize", Object{"url": url, "user": user})["callback"])
}

// AssertClean fails the test if the client under test broke a rule.
func (issuer *Issuer) AssertClean() {
	issuer.t.Helper()
	issuer.assertClean(nil)
}

// AssertNoneRefused fails the test if the client under test broke a rule or was refused.
func (issuer *Issuer) AssertNoneRefused() {
	issuer.t.Helper()
	issuer.assertClean(Object{"refused": true})
}

func (issuer *Issuer) assertClean(options Object) {
	issuer.t.Helper()
	wantsClean.Store(true)
	if status, text := issuer.text("POST", "/assert-clean", options); status != http.StatusOK {
		*issuer.isExplained = true
		issuer.t.Fatal("hallpass:", text)
	}
}

// Explain returns what the lab refused, with the rule, the request, the fix and a diagram; if it
// refused nothing, the diagrams of the newest flows.
func (issuer *Issuer) Explain() string {
	issuer.t.Helper()
	if status, text := issuer.text("POST", "/assert-clean", Object{"refused": true}); status != http.StatusOK {
		return text
	}
	_, text := issuer.text("GET", "/flows", nil)
	return text
}

// text calls the lab for lines of text.
func (issuer *Issuer) text(method, path string, body Object) (int, string) {
	issuer.t.Helper()
	status, text, err := fetch(issuer.client, method, issuer.lab+path, "text/plain", body)
	if err != nil {
		issuer.t.Error("hallpass:", err)
	}
	return status, string(text)
}

// Run runs the tests of a package. It fails if one of them has asked for a clean report, and the
// client under test never reached the lab:
//
//	func TestMain(m *testing.M) { os.Exit(hallpass.Run(m)) }
func Run(m *testing.M) int {
	code := m.Run()
	for _, lab := range labs {
		if problem := lab.problem(); code == 0 && wantsClean.Load() && problem != "" {
			fmt.Fprintln(os.Stderr, "hallpass:", problem)
			code = 1
		}
	}
	return code
}

// AssertNoIdleFaults fails the test if a fault was never met, so that the test proves nothing.
func (issuer *Issuer) AssertNoIdleFaults() {
	issuer.t.Helper()
	report := issuer.Lab("GET /report", nil)
	if idle, _ := report["idleFaults"].([]any); len(idle) > 0 {
		issuer.t.Errorf("hallpass: these faults were never met: %v", idle)
	}
}

// setup is how a lab is started.
type setup struct {
	args  []string
	trust string // the file with the certificate to trust
}

// running is a lab that listens.
type running struct {
	url    string
	client *http.Client
	err    error
}

// problem returns what is wrong with the report of a lab as such.
func (lab running) problem() string {
	if lab.err != nil {
		return lab.err.Error()
	}
	var report struct{ Problem string }
	if err := send(lab.client, "GET", lab.url+"/lab/report", nil, &report); err != nil {
		return err.Error()
	}
	return report.Problem
}

var (
	labs       = map[string]running{}
	mutex      sync.Mutex
	wantsClean atomic.Bool
)

// find returns the lab that HALLPASS_URL names, or one that is started once for the same options.
func find(setup setup) (running, error) {
	mutex.Lock()
	defer mutex.Unlock()
	name := strings.Join(setup.args, "\x00")
	lab, known := labs[name]
	if !known {
		lab = open(setup)
		labs[name] = lab
	}
	return lab, lab.err
}

func open(setup setup) running {
	if url := os.Getenv("HALLPASS_URL"); url != "" {
		client, err := clientFor(os.Getenv("HALLPASS_CA"))
		return running{url, client, err}
	}
	folder, err := os.MkdirTemp("", "hallpass")
	if err != nil {
		return running{err: err}
	}
	defer os.RemoveAll(folder)
	url, err := start(setup.args, folder)
	if err != nil {
		return running{err: err}
	}
	if made := filepath.Join(folder, "hallpass-ca.pem"); exists(made) {
		setup.trust = made
	}
	client, err := clientFor(setup.trust)
	return running{url, client, err}
}

// start starts a lab in a folder, where --tls writes the certificate to trust.
func start(args []string, folder string) (string, error) {
	command := exec.Command("hallpass", append([]string{"lab", "--port", "0"}, args...)...)
	if runtime.GOOS != "windows" {
		// There it cannot see that the process of the tests has ended.
		command.Args = append(command.Args, "--with-parent")
	}
	command.Dir = folder
	command.Stderr = os.Stderr
	output, err := command.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := command.Start(); err != nil {
		return "", err
	}
	for lines := bufio.NewScanner(output); lines.Scan(); {
		if words := strings.Fields(lines.Text()); len(words) > 2 && words[0] == "hallpass" && words[1] == "ready" {
			go io.Copy(io.Discard, output) // a full pipe would stop the lab
			return words[len(words)-1], nil
		}
	}
	return "", fmt.Errorf("it ended before it was ready")
}

// clientFor returns a client that trusts the certificate in a file, besides those of the system.
func clientFor(file string) (*http.Client, error) {
	if file == "" {
		return http.DefaultClient, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool()
	}
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate", file)
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.TLSClientConfig = &tls.Config{RootCAs: roots}
	return &http.Client{Transport: transport}, nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

func absolute(file string) string {
	if path, err := filepath.Abs(file); err == nil {
		return path
	}
	return file
}

func (issuer *Issuer) call(method, path string, body Object, result any) {
	issuer.t.Helper()
	if err := send(issuer.client, method, issuer.lab+path, body, result); err != nil {
		issuer.t.Fatal("hallpass:", err)
	}
}

// send reads a response of JSON into result.
func send(client *http.Client, method, url string, body Object, result any) error {
	status, text, err := fetch(client, method, url, "application/json", body)
	if err != nil {
		return err
	}
	if status != http.StatusOK {
		var problem struct {
			Description string `json:"error_description"`
		}
		json.Unmarshal(text, &problem)
		return fmt.Errorf("%s %s: %s", method, url, problem.Description)
	}
	return json.Unmarshal(text, result)
}

func fetch(client *http.Client, method, url, accept string, body Object) (int, []byte, error) {
	var content io.Reader
	if body != nil {
		text, _ := json.Marshal(body)
		content = bytes.NewReader(text)
	}
	request, err := http.NewRequest(method, url, content)
	if err != nil {
		return 0, nil, err
	}
	request.Header = http.Header{"Accept": {accept}, "Content-Type": {"application/json"}}
	if token := os.Getenv("HALLPASS_LAB_TOKEN"); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := client.Do(request)
	if err != nil {
		return 0, nil, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, text, err
}
