// The client, against the MCP server of a lab. It knows nothing but the URL of that server.
package notes_test

import (
	"context"
	"testing"

	"example.com/notes"
	"example.com/shop/hallpass"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const document = "https://notes.example/client.json"

var ways = map[string]notes.Identity{
	"registration":      {},
	"metadata document": {DocumentURL: document},
	"fixed client":      {ClientID: "notes"},
}

// application is the client as an application uses it, with a lab in place of its browser.
type application struct {
	*hallpass.Issuer
	session *mcp.ClientSession
	asked   []string
}

// open opens an issuer with an MCP server, and connects to it.
func open(t *testing.T, identity notes.Identity, settings hallpass.Object) (*application, error) {
	t.Helper()
	settings["clients"] = []hallpass.Object{{"id": "notes", "redirectUris": []string{notes.Callback}}}
	app := &application{Issuer: hallpass.New(t, settings)}
	if identity.ClientID != "" {
		identity.Issuer = app.URL
	}
	if identity.DocumentURL != "" {
		app.Lab("/client-documents", hallpass.Object{"client_id": document, "client_name": "Notes",
			"redirect_uris": []string{notes.Callback}, "token_endpoint_auth_method": "none",
			// Without refresh_token, the server issues none.
			"grant_types": []string{"authorization_code", "refresh_token"}})
	}
	var err error
	app.session, err = notes.Connect(context.Background(), app.URL+"/mcp", identity, app.browse)
	if err == nil {
		t.Cleanup(func() { app.session.Close() })
	}
	return app, err
}

func (app *application) browse(url string) (string, error) {
	app.asked = append(app.asked, url)
	return app.Authorize(url, "alice"), nil
}

// call calls a tool, and returns a member of its result.
func (app *application) call(t *testing.T, tool, member string) any {
	t.Helper()
	result, err := app.tryCall(tool)
	if err != nil {
		t.Fatalf("%s: %v", tool, err)
	}
	content, _ := result.StructuredContent.(map[string]any)
	return content[member]
}

func (app *application) tryCall(tool string) (*mcp.CallToolResult, error) {
	return app.session.CallTool(context.Background(), &mcp.CallToolParams{Name: tool})
}

// inEachWay runs a test once for each way in which the server can know the client.
func inEachWay(t *testing.T, settings hallpass.Object, test func(*testing.T, *application)) {
	for way, identity := range ways {
		t.Run(way, func(t *testing.T) {
			app, err := open(t, identity, settings)
			if err != nil {
				t.Fatal(err)
			}
			test(t, app)
			app.assertRules(t, identity)
		})
	}
}

// assertRules fails the test if the client broke a rule that the SDK is not known to break: version
// 1.8.0 first tries the id of a metadata document as a user name of Basic, with an empty secret.
func (app *application) assertRules(t *testing.T, identity notes.Identity) {
	t.Helper()
	if identity.DocumentURL == "" {
		app.AssertClean()
		return
	}
	findings, _ := app.Lab("GET /report", nil)["findings"].([]any)
	for _, each := range findings {
		if id := each.(map[string]any)["id"]; id != "secret-of-public-client" {
			t.Error("the client broke the rule ", id)
		}
	}
	if len(findings) == 0 {
		t.Error("the SDK no longer breaks a rule")
	}
}

func TestReachesWhoami(t *testing.T) {
	inEachWay(t, hallpass.Object{}, func(t *testing.T, app *application) {
		if subject := app.call(t, "whoami", "subject"); subject != "alice" {
			t.Error("the subject is ", subject)
		}
		if version := app.session.InitializeResult().ProtocolVersion; version != "2026-07-28" {
			t.Error("the version is ", version)
		}
	})
}

func TestStepsUp(t *testing.T) {
	inEachWay(t, hallpass.Object{}, func(t *testing.T, app *application) {
		app.call(t, "read_notes", "notes")
		app.call(t, "write_note", "notes")
		app.call(t, "read_notes", "notes")
		if len(app.asked) != 2 {
			t.Error("the user was asked ", len(app.asked), " times")
		}
	})
}

// The SDK refreshes ten seconds before a token expires, by its own clock alone.
func TestRefreshes(t *testing.T) {
	settings := hallpass.Object{"lifetimes": hallpass.Object{"accessToken": "10s"}}
	inEachWay(t, settings, func(t *testing.T, app *application) {
		app.call(t, "whoami", "subject")
		app.Lab("/clock", hallpass.Object{"advance": "1m"})
		if subject := app.call(t, "whoami", "subject"); subject != "alice" {
			t.Error("the subject is ", subject)
		}
		if len(app.asked) != 1 {
			t.Error("the user was asked ", len(app.asked), " times")
		}
	})
}

func TestRefusesAnotherIssuer(t *testing.T) {
	issuer := hallpass.New(t, nil)
	issuer.Lab("/faults", hallpass.Object{"name": "callback.wrong_iss"})
	_, err := notes.Connect(context.Background(), issuer.URL+"/mcp", notes.Identity{}, func(url string) (string, error) {
		return issuer.Authorize(url, "alice"), nil
	})
	if err == nil {
		t.Error("the client should have refused the response")
	}
	issuer.AssertNoIdleFaults()
}
