// An API with go-oidc 3.21.0, by its documentation of Verifier and Config: the audience of the tokens
// is the ClientID of the verifier.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/coreos/go-oidc/v3/oidc"
)

func main() {
	ctx := context.Background()
	provider, err := oidc.NewProvider(ctx, os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	verifier := provider.Verifier(&oidc.Config{ClientID: os.Getenv("AUDIENCE")})
	refuse := func(w http.ResponseWriter, status int, code string) {
		w.Header().Set("WWW-Authenticate", fmt.Sprintf("Bearer error=%q", code))
		w.WriteHeader(status)
	}
	http.HandleFunc("GET /orders", func(w http.ResponseWriter, r *http.Request) {
		scheme, raw, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "bearer") {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		token, err := verifier.Verify(r.Context(), raw)
		if err != nil {
			refuse(w, http.StatusUnauthorized, "invalid_token")
			return
		}
		var claims struct {
			Scope string `json:"scope"`
		}
		if err := token.Claims(&claims); err != nil || !slices.Contains(strings.Fields(claims.Scope), "read") {
			refuse(w, http.StatusForbidden, "insufficient_scope")
			return
		}
		fmt.Fprintf(w, "Orders of %s", token.Subject)
	})
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
