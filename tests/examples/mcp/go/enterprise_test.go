package notes_test

import (
	"context"
	"testing"

	"example.com/notes"
	"example.com/shop/hallpass"
)

// openEnterprise opens a lab that is both the company and the authorization server, and connects as an employee.
func openEnterprise(t *testing.T, user string, scopes ...string) (*application, error) {
	t.Helper()
	app := &application{Issuer: hallpass.Lab(t, hallpass.Args("--enterprise"))}
	t.Cleanup(func() { app.Lab("/reset", nil) })
	company := app.URL + "/t/company"
	enterprise := notes.Enterprise{
		Company: company, AtCompany: notes.Secret("agent", "agent-secret"),
		RedirectURL: company + "/authorized",
		Server:      app.URL, AtServer: notes.Secret("agent-at-mcp", "agent-at-mcp-secret"),
		Scopes: scopes,
	}
	var err error
	app.session, err = enterprise.Connect(context.Background(), app.URL+"/mcp", func(url string) (string, error) {
		app.asked = append(app.asked, url)
		return app.At(company).Authorize(url, user), nil
	})
	if err == nil {
		t.Cleanup(func() { app.session.Close() })
	}
	return app, err
}

func TestReachesWhoamiAsEmployee(t *testing.T) {
	app, err := openEnterprise(t, "alice", "read")
	if err != nil {
		t.Fatal(err)
	}
	if client := app.call(t, "whoami", "client"); client != "agent-at-mcp" {
		t.Error("the client is ", client)
	}
	app.AssertClean()
}

// The SDK asks for the same scopes again after a 403, so the application must know all of them.
func TestGetsWhatThePolicyOfTheCompanyAllows(t *testing.T) {
	for user, may := range map[string]bool{"alice": true, "bob": false} {
		app, err := openEnterprise(t, user, "read", "write")
		if err != nil {
			t.Fatal(err)
		}
		_, err = app.tryCall("write_note")
		if (err == nil) != may {
			t.Error(user, ": ", err)
		}
	}
}

func TestIsRefusedForAnEmployeeWithoutIDJAG(t *testing.T) {
	app, err := openEnterprise(t, "carol")
	if err == nil {
		t.Error("the company issues no ID-JAG for carol")
	}
	refused, _ := app.Lab("GET /report", nil)["refused"].([]any)
	if len(refused) == 0 {
		t.Error("nothing was refused")
	}
	for _, each := range refused {
		if id := each.(map[string]any)["id"]; id != "id_jag.user" {
			t.Error("the refusal is by ", id)
		}
	}
}

func TestSignsInAgainWhenTheTokenHasExpired(t *testing.T) {
	app, err := openEnterprise(t, "alice", "read")
	if err != nil {
		t.Fatal(err)
	}
	app.Lab("/clock", hallpass.Object{"advance": "2h"})
	app.call(t, "whoami", "subject")
	if len(app.asked) != 2 {
		t.Error("the employee was asked ", len(app.asked), " times")
	}
}
