// go-oidc 3.21.0 with golang.org/x/oauth2, by its README and example/idtoken: state, nonce and PKCE.
package main

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

type claims struct {
	Name  string `json:"name"`
	Email string `json:"email"`
}

// sessions has the users who are signed in, by the value of their cookie.
var sessions sync.Map

func randString() string {
	b := make([]byte, 16)
	io.ReadFull(rand.Reader, b)
	return base64.RawURLEncoding.EncodeToString(b)
}

func setCookie(w http.ResponseWriter, name, value string, maxAge int) {
	http.SetCookie(w, &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	})
}

func cookie(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

func main() {
	ctx := context.Background()
	base := os.Getenv("BASE_URL")
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: os.Getenv("CLIENT_ID")})
	config := oauth2.Config{
		ClientID:     os.Getenv("CLIENT_ID"),
		ClientSecret: os.Getenv("CLIENT_SECRET"),
		Endpoint:     provider.Endpoint(),
		RedirectURL:  base + "/auth/callback",
		Scopes:       []string{oidc.ScopeOpenID, "profile", "email"},
	}

	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<a href="/login">Log in</a> <a href="/account">Account</a>`)
	})
	http.HandleFunc("GET /login", func(w http.ResponseWriter, r *http.Request) {
		state, nonce, pkce := randString(), randString(), oauth2.GenerateVerifier()
		setCookie(w, "state", state, 600)
		setCookie(w, "nonce", nonce, 600)
		setCookie(w, "pkce", pkce, 600)
		url := config.AuthCodeURL(state, oidc.Nonce(nonce), oauth2.S256ChallengeOption(pkce))
		http.Redirect(w, r, url, http.StatusFound)
	})
	http.HandleFunc("GET /auth/callback", func(w http.ResponseWriter, r *http.Request) {
		state := cookie(r, "state")
		if state == "" || r.URL.Query().Get("state") != state {
			http.Error(w, "state did not match", http.StatusBadRequest)
			return
		}
		token, err := config.Exchange(ctx, r.URL.Query().Get("code"), oauth2.VerifierOption(cookie(r, "pkce")))
		if err != nil {
			http.Error(w, "failed to exchange the code", http.StatusBadRequest)
			return
		}
		raw, ok := token.Extra("id_token").(string)
		if !ok {
			http.Error(w, "no id_token", http.StatusBadRequest)
			return
		}
		idToken, err := verifier.Verify(ctx, raw)
		if err != nil {
			http.Error(w, "failed to verify the ID token", http.StatusBadRequest)
			return
		}
		if nonce := cookie(r, "nonce"); nonce == "" || idToken.Nonce != nonce {
			http.Error(w, "nonce did not match", http.StatusBadRequest)
			return
		}
		var user claims
		if err := idToken.Claims(&user); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		id := randString()
		sessions.Store(id, user)
		setCookie(w, "session", id, 3600)
		http.Redirect(w, r, "/account", http.StatusFound)
	})
	http.HandleFunc("GET /account", func(w http.ResponseWriter, r *http.Request) {
		user, ok := sessions.Load(cookie(r, "session"))
		if !ok {
			http.Redirect(w, r, "/login", http.StatusFound)
			return
		}
		fmt.Fprintf(w, `Hello %s <form method="post" action="/logout"><button>Log out</button></form>`,
			html.EscapeString(user.(claims).Name))
	})
	http.HandleFunc("POST /logout", func(w http.ResponseWriter, r *http.Request) {
		sessions.Delete(cookie(r, "session"))
		setCookie(w, "session", "", -1)
		http.Redirect(w, r, "/", http.StatusFound)
	})
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
