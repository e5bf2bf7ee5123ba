package shop

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"testing"

	"example.com/shop/hallpass"
	"github.com/coreos/go-oidc/v3/oidc"
	"golang.org/x/oauth2"
)

// TestMutualTLS signs in with a certificate in place of a secret. The tokens are bound to it (RFC 8705).
func TestMutualTLS(t *testing.T) {
	t.Parallel()
	port := freePort(t)
	issuer := hallpass.Lab(t, hallpass.TLS(), hallpass.Args("--mtls-port", port))
	issuer.Lab("PUT /clients/shop", hallpass.Object{
		"authentication": []string{"tls_client_auth"}, "tlsClientAuthSubjectDn": "CN=shop",
		"certificateBoundTokens": true, "redirectUris": []string{callback},
	})
	client := withCertificate(t, issuer, "shop")
	ctx := oidc.ClientContext(context.Background(), client)
	provider, err := oidc.NewProvider(ctx, issuer.URL)
	if err != nil {
		t.Fatal(err)
	}
	var metadata struct {
		Aliases struct {
			Token    string `json:"token_endpoint"`
			Userinfo string `json:"userinfo_endpoint"`
		} `json:"mtls_endpoint_aliases"`
	}
	if err := provider.Claims(&metadata); err != nil {
		t.Fatal(err)
	}
	shop := oauth2.Config{ClientID: "shop", RedirectURL: callback, Scopes: []string{oidc.ScopeOpenID}}
	shop.Endpoint = provider.Endpoint()
	shop.Endpoint.TokenURL, shop.Endpoint.AuthStyle = metadata.Aliases.Token, oauth2.AuthStyleInParams

	verifier, state := oauth2.GenerateVerifier(), rand.Text()
	callback, err := url.Parse(issuer.Authorize(shop.AuthCodeURL(state, oauth2.S256ChallengeOption(verifier)), "alice"))
	if err != nil {
		t.Fatal(err)
	}
	code := callback.Query().Get("code")
	strangers := []*http.Client{issuer.Client(), withCertificate(t, issuer, "other")}
	for _, stranger := range strangers {
		ctx := oidc.ClientContext(context.Background(), stranger)
		if _, err := shop.Exchange(ctx, code, oauth2.VerifierOption(verifier)); err == nil {
			t.Error("only the client has this certificate")
		}
	}
	tokens, err := shop.Exchange(ctx, code, oauth2.VerifierOption(verifier))
	if err != nil {
		t.Fatal(err)
	}
	for at, status := range map[*http.Client]int{client: 200, strangers[0]: 401, strangers[1]: 401} {
		request, _ := http.NewRequest("GET", metadata.Aliases.Userinfo, nil)
		tokens.SetAuthHeader(request)
		response, err := at.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != status {
			t.Errorf("userinfo responded with %d, not %d", response.StatusCode, status)
		}
	}
}

// withCertificate returns a client with a certificate that the lab makes.
func withCertificate(t *testing.T, issuer *hallpass.Issuer, name string) *http.Client {
	made := issuer.Lab("/certificates/"+name, nil)
	certificate, err := tls.X509KeyPair([]byte(fmt.Sprint(made["cert"])), []byte(fmt.Sprint(made["key"])))
	if err != nil {
		t.Fatal(err)
	}
	transport := issuer.Client().Transport.(*http.Transport).Clone()
	transport.TLSClientConfig.Certificates = []tls.Certificate{certificate}
	return &http.Client{Transport: transport}
}

// freePort returns a port that nothing listens on.
func freePort(t *testing.T) string {
	listener, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port
}
