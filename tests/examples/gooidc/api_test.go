package shop

import (
	"context"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"example.com/shop/hallpass"
	"github.com/coreos/go-oidc/v3/oidc"
)

// newAPI returns an API that checks access tokens with go-oidc: its verifier is not for ID tokens
// alone, if the ClientID is the audience.
func newAPI(verifier *oidc.IDTokenVerifier, scope string) http.HandlerFunc {
	refuse := func(w http.ResponseWriter, status int, code string) {
		w.Header().Set("WWW-Authenticate", `Bearer error="`+code+`"`)
		w.WriteHeader(status)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !strings.EqualFold(scheme, "Bearer") {
			refuse(w, http.StatusUnauthorized, "invalid_token")
			return
		}
		verified, err := verifier.Verify(r.Context(), token)
		var claims struct {
			Scope string `json:"scope"`
		}
		if err != nil || verified.Claims(&claims) != nil {
			refuse(w, http.StatusUnauthorized, "invalid_token")
			return
		}
		if !slices.Contains(strings.Fields(claims.Scope), scope) {
			refuse(w, http.StatusForbidden, "insufficient_scope")
		}
	}
}

func TestAPIRefusesWhatItMust(t *testing.T) {
	issuer := hallpass.New(t, nil)
	provider, err := oidc.NewProvider(context.Background(), issuer.URL)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(nil)
	url := "http://" + server.Listener.Addr().String() + "/orders"
	server.Config.Handler = newAPI(provider.Verifier(&oidc.Config{ClientID: url}), "orders:read")
	server.Start()
	defer server.Close()
	api := hallpass.Object{"request": url, "audience": url, "scope": "orders:read"}
	result := issuer.Lab("/drill", hallpass.Object{"api": api})
	for _, each := range result["findings"].([]any) {
		if finding := each.(hallpass.Object); finding["level"] == "violation" {
			t.Errorf("%s: %s", finding["id"], finding["received"])
		}
	}
}
