// Libraries that have the hosts of providers in their code, at a lab that has these hosts.
package shop

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"testing"

	"example.com/shop/hallpass"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/endpoints"
)

var providers = []struct {
	name     string
	endpoint oauth2.Endpoint
	scope    string
	// The API about the user, and what it says.
	api, member, value string
}{
	{"github", endpoints.GitHub, "read:user", "https://api.github.com/user", "login", "alice"},
	{"google", endpoints.Google, "openid email", "https://openidconnect.googleapis.com/v1/userinfo", "email", "alice@example.com"},
	{"entra", endpoints.AzureAD("common"), "openid User.Read", "https://graph.microsoft.com/v1.0/me", "displayName", "Alice Adler"},
	{"gitlab", endpoints.GitLab, "read_user", "https://gitlab.com/api/v4/user", "username", "alice"},
	{"discord", endpoints.Discord, "identify", "https://discord.com/api/users/@me", "username", "alice"},
	{"linkedin", endpoints.LinkedIn, "openid profile", "https://api.linkedin.com/v2/userinfo", "name", "Alice Adler"},
}

// openProviders starts a lab at the hosts of all providers, and returns a client that finds them there.
func openProviders(t *testing.T) *http.Client {
	t.Helper()
	args := []string{"--hosts", "--any-client", "--sign-in", "alice"}
	for _, each := range providers {
		args = append(args, "--provider", each.name)
	}
	lab := hallpass.Lab(t, hallpass.Args(args...))
	here, _ := url.Parse(lab.URL)
	transport := lab.Client().Transport.(*http.Transport).Clone()
	// In place of the hosts file.
	transport.DialContext = func(ctx context.Context, network, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, network, here.Host)
	}
	return &http.Client{Transport: transport}
}

// logInAt signs alice in, and returns the tokens that x/oauth2 gets.
func logInAt(t *testing.T, client *http.Client, endpoint oauth2.Endpoint, scope string) *oauth2.Token {
	t.Helper()
	config := oauth2.Config{ClientID: "shop", ClientSecret: secret, RedirectURL: callback,
		Endpoint: endpoint, Scopes: []string{scope}}
	verifier := oauth2.GenerateVerifier()
	browser := *client
	browser.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	response, err := browser.Get(config.AuthCodeURL("a-state", oauth2.S256ChallengeOption(verifier)))
	if err != nil {
		t.Fatal(err)
	}
	arrived, err := response.Location()
	if err != nil {
		t.Fatal(err)
	}
	ctx := oidc.ClientContext(context.Background(), client)
	token, err := config.Exchange(ctx, arrived.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestEndpointsOfProviders(t *testing.T) {
	client := openProviders(t)
	for _, each := range providers {
		t.Run(each.name, func(t *testing.T) {
			token := logInAt(t, client, each.endpoint, each.scope)
			ctx := oidc.ClientContext(context.Background(), client)
			response, err := oauth2.NewClient(ctx, oauth2.StaticTokenSource(token)).Get(each.api)
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			var user map[string]any
			if json.NewDecoder(response.Body).Decode(&user); user[each.member] != each.value {
				t.Errorf("%s is %v: %v", each.member, user[each.member], user)
			}
		})
	}
}

func TestVerifiesAnIDTokenOfGoogle(t *testing.T) {
	client := openProviders(t)
	ctx := oidc.ClientContext(context.Background(), client)
	provider, err := oidc.NewProvider(ctx, "https://accounts.google.com")
	if err != nil {
		t.Fatal(err)
	}
	token := logInAt(t, client, endpoints.Google, "openid")
	raw, _ := token.Extra("id_token").(string)
	if _, err := provider.Verifier(&oidc.Config{ClientID: "shop"}).Verify(ctx, raw); err != nil {
		t.Error(err)
	}
}

func TestTrustsTheLabForItsHostsAlone(t *testing.T) {
	if _, err := openProviders(t).Get("https://login.example/"); err == nil {
		t.Error("a host without a certificate was trusted")
	}
}
