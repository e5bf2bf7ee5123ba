// A login with go-oidc, tested with the helper in the folder hallpass.
package shop

import (
	"context"
	"net/url"
	"slices"
	"testing"

	"example.com/shop/hallpass"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const callback, secret = "https://shop.example/callback", "a-secret-of-32-letters-and-digits"

func TestMain(m *testing.M) { hallpass.Main(m) }

func TestLogin(t *testing.T) {
	t.Parallel()
	issuer := hallpass.New(t, hallpass.Object{"clients": []hallpass.Object{
		{"id": "shop", "secret": secret, "redirectUris": []string{callback}},
	}})
	issuer.Lab("/claims", hallpass.Object{"claims": hallpass.Object{"roles": []string{"admin"}}})
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, issuer.URL)
	if err != nil {
		t.Fatal(err)
	}
	config := oauth2.Config{ClientID: "shop", ClientSecret: secret, RedirectURL: callback,
		Endpoint: provider.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "profile"}}
	verifier, state := oauth2.GenerateVerifier(), "a-state"
	request := config.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oidc.Nonce("a-nonce"))
	arrived, err := url.Parse(issuer.Authorize(request, "alice"))
	if err != nil || arrived.Query().Get("state") != state {
		t.Fatal("the callback is ", arrived, err)
	}
	tokens, err := config.Exchange(ctx, arrived.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := provider.Verifier(&oidc.Config{ClientID: "shop"}).Verify(ctx, raw)
	if err != nil || idToken.Subject != "alice" || idToken.Nonce != "a-nonce" {
		t.Fatal("the ID token is ", idToken, err)
	}
	person, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil || person.Subject != "alice" {
		t.Fatal("userinfo is ", person, err)
	}
	var claims struct{ Roles []string }
	if err := person.Claims(&claims); err != nil || !slices.Equal(claims.Roles, []string{"admin"}) {
		t.Fatal("the roles are ", claims.Roles, err)
	}
	issuer.Lab("/clock", hallpass.Object{"advance": "2h"})
	if _, err := provider.UserInfo(ctx, oauth2.StaticTokenSource(tokens)); err == nil {
		t.Error("the token should have expired")
	}
	issuer.AssertClean()
}

func TestForgedIDToken(t *testing.T) {
	t.Parallel()
	issuer := hallpass.New(t, nil)
	provider, err := oidc.NewProvider(context.Background(), issuer.URL)
	if err != nil {
		t.Fatal(err)
	}
	token := issuer.Mint(hallpass.Object{"sub": "alice", "scope": "openid"})
	if _, err := provider.Verifier(&oidc.Config{ClientID: "shop"}).Verify(context.Background(), token); err == nil {
		t.Error("an access token is no ID token")
	}
}
