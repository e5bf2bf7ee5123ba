// A login with go-oidc, tested with the helper in the folder hallpass.
package shop

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/shop/hallpass"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

const callback, secret = "https://shop.example/callback", "a-secret-of-32-letters-and-digits"

func TestMain(m *testing.M) { os.Exit(hallpass.Run(m)) }

// shop is an application: its configuration, and the provider that it has discovered.
type shop struct {
	oauth2.Config
	*oidc.Provider
}

// open starts an issuer for a test, and the application.
func open(t *testing.T, options ...hallpass.Option) (*hallpass.Issuer, shop) {
	t.Helper()
	issuer := hallpass.New(t, hallpass.Object{"clients": []hallpass.Object{
		{"id": "shop", "secret": secret, "redirectUris": []string{callback}},
	}}, options...)
	provider, err := oidc.NewProvider(oidc.ClientContext(context.Background(), issuer.Client()), issuer.URL)
	if err != nil {
		t.Fatal(err)
	}
	return issuer, shop{oauth2.Config{ClientID: "shop", ClientSecret: secret, RedirectURL: callback,
		Endpoint: provider.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "profile"}}, provider}
}

// logIn does the part of the application. The lab does the part of the browser and the user.
func (shop shop) logIn(issuer *hallpass.Issuer, user string) (*oauth2.Token, *oidc.IDToken, error) {
	ctx := oidc.ClientContext(context.Background(), issuer.Client())
	verifier, state, nonce := oauth2.GenerateVerifier(), rand.Text(), rand.Text()
	request := shop.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier), oidc.Nonce(nonce))
	arrived, err := url.Parse(issuer.Authorize(request, user))
	if err != nil {
		return nil, nil, err
	}
	// go-oidc leaves these checks, and those of token type and nonce, to the application.
	response := arrived.Query()
	isOurs := slices.Equal(response["state"], []string{state}) && slices.Equal(response["iss"], []string{issuer.URL})
	if !isOurs || response.Has("error") {
		return nil, nil, fmt.Errorf("the callback is %s", arrived)
	}
	tokens, err := shop.Exchange(ctx, response.Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return nil, nil, err
	}
	if !strings.EqualFold(tokens.TokenType, "bearer") {
		return nil, nil, fmt.Errorf("the type of the token is %q", tokens.TokenType)
	}
	raw, _ := tokens.Extra("id_token").(string)
	idToken, err := shop.Verifier(&oidc.Config{ClientID: "shop"}).Verify(ctx, raw)
	if err == nil && idToken.Nonce != nonce {
		err = fmt.Errorf("the nonce is %s", idToken.Nonce)
	}
	return tokens, idToken, err
}

func TestLogin(t *testing.T) {
	t.Parallel()
	issuer, shop := open(t)
	roles := hallpass.Object{"roles": []string{"admin"}}
	issuer.Lab("/faults", hallpass.Object{"name": "token.claims", "claims": roles})
	tokens, idToken, err := shop.logIn(issuer, "alice")
	if err != nil || idToken.Subject != "alice" {
		t.Fatal("the ID token is ", idToken, err)
	}
	ctx := context.Background()
	person, err := shop.UserInfo(ctx, oauth2.StaticTokenSource(tokens))
	if err != nil || person.Subject != "alice" {
		t.Fatal("userinfo is ", person, err)
	}
	var claims struct{ Roles []string }
	if err := person.Claims(&claims); err != nil || !slices.Equal(claims.Roles, []string{"admin"}) {
		t.Fatal("the roles are ", claims.Roles, err)
	}
	issuer.Lab("/clock", hallpass.Object{"advance": "2h"})
	if _, err := shop.UserInfo(ctx, oauth2.StaticTokenSource(tokens)); err == nil {
		t.Error("the token should have expired")
	}
	issuer.AssertClean()
}

// K2: what the application sent is a list, which the helper returns.
func TestRequestsOfALogin(t *testing.T) {
	t.Parallel()
	issuer, shop := open(t)
	if _, _, err := shop.logIn(issuer, "alice"); err != nil {
		t.Fatal(err)
	}
	requests := issuer.List("/requests?path=/oauth2/token")
	if len(requests) != 1 || requests[0]["method"] != "POST" {
		t.Error("the token requests are ", requests)
	}
}

func TestLoginWithTLS(t *testing.T) {
	for name, option := range map[string]hallpass.Option{
		"a certificate of the lab": hallpass.TLS(),
		"one of the suite":         hallpass.Certificate(makeCertificate(t)),
	} {
		t.Run(name, func(t *testing.T) {
			issuer, shop := open(t, option)
			if !strings.HasPrefix(issuer.URL, "https:") {
				t.Error("the issuer is ", issuer.URL)
			}
			if _, _, err := shop.logIn(issuer, "alice"); err != nil {
				t.Error(err)
			}
			if _, err := http.Get(issuer.URL + "/health"); err == nil {
				t.Error("no other client should trust this certificate")
			}
			issuer.AssertClean()
		})
	}
}

// makeCertificate writes a certificate for localhost, and its key.
func makeCertificate(t *testing.T) (certFile, keyFile string) {
	private, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"localhost"},
		NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	cert, _ := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	key, _ := x509.MarshalPKCS8PrivateKey(private)
	folder := t.TempDir()
	write := func(name, kind string, content []byte) string {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: content}), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	return write("cert.pem", "CERTIFICATE", cert), write("key.pem", "PRIVATE KEY", key)
}

func TestHostileLogins(t *testing.T) {
	for _, fault := range []string{
		"callback.wrong_state", "callback.without_state", "callback.doubled_state",
		"callback.wrong_iss", "callback.without_iss", "callback.doubled_iss",
		"callback.denied", "callback.error_and_code", "callback.foreign_code",
		"token.without_token_type", "token.wrong_token_type", "token.malformed_json", "token.without_id_token",
		"id_token.wrong_iss", "id_token.wrong_aud", "id_token.wrong_nonce", "id_token.without_nonce",
		"id_token.expired", "id_token.foreign_signature", "id_token.alg_none", "id_token.hs256_with_public_key",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			issuer, shop := open(t)
			issuer.Lab("/faults", hallpass.Object{"name": fault})
			if _, _, err := shop.logIn(issuer, "alice"); err == nil {
				t.Error("the login should have failed")
			}
			issuer.AssertNoIdleFaults()
		})
	}
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

func TestAnIssuerAtAnyHostHasItsLab(t *testing.T) {
	login := hallpass.New(t, hallpass.Object{"issuer": "https://login.example"})
	same := hallpass.Lab(t).At("https://login.example")
	for _, issuer := range []*hallpass.Issuer{login, same} {
		if parts := strings.Split(issuer.Mint(hallpass.Object{"sub": "alice"}), "."); len(parts) != 3 {
			t.Errorf("%s issued %v", issuer.URL, parts)
		}
	}
}
