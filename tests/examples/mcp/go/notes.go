// Package notes is a client of any MCP server that is protected with OAuth, with the official SDK for Go.
package notes

import (
	"context"
	"net/url"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// Callback is where the browser returns to.
const Callback = "http://localhost:3000/callback"

// Browser opens a URL, and returns the URL of the callback.
type Browser func(url string) (string, error)

// Identity is how the authorization server knows the client. Without a member, the client registers.
type Identity struct {
	DocumentURL string // of its metadata document
	ClientID    string // given by the operator of the authorization server
	Issuer      string // of that server; no other one may get to see the id
}

// Connect connects to the server at a URL, as a user whom the browser signs in.
func Connect(ctx context.Context, url string, identity Identity, browser Browser) (*mcp.ClientSession, error) {
	handler, err := auth.NewAuthorizationCodeHandler(identity.config(browser))
	if err != nil {
		return nil, err
	}
	return ConnectWith(ctx, url, handler)
}

// ConnectWith connects with a handler that gets access tokens.
func ConnectWith(ctx context.Context, url string, handler auth.OAuthHandler) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "notes", Version: "1.0.0"}, nil)
	return client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: url, OAuthHandler: handler}, nil)
}

func (identity Identity) config(browser Browser) *auth.AuthorizationCodeHandlerConfig {
	config := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL:              Callback,
		RequestRefreshToken:      true,
		AuthorizationCodeFetcher: fetchWith(browser),
	}
	switch {
	case identity.DocumentURL != "":
		config.ClientIDMetadataDocumentConfig = &auth.ClientIDMetadataDocumentConfig{URL: identity.DocumentURL}
	case identity.ClientID != "":
		config.PreregisteredClient = &oauthex.ClientCredentials{ClientID: identity.ClientID, Issuer: identity.Issuer}
	default:
		config.DynamicClientRegistrationConfig = &auth.DynamicClientRegistrationConfig{Metadata: metadata()}
	}
	return config
}

func metadata() *oauthex.ClientRegistrationMetadata {
	return &oauthex.ClientRegistrationMetadata{
		ClientName:              "Notes",
		RedirectURIs:            []string{Callback},
		TokenEndpointAuthMethod: "none",
		GrantTypes:              []string{"authorization_code", "refresh_token"},
	}
}

func fetchWith(browser Browser) auth.AuthorizationCodeFetcher {
	return func(ctx context.Context, args *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
		callback, err := browser(args.URL)
		if err != nil {
			return nil, err
		}
		arrived, err := url.Parse(callback)
		if err != nil {
			return nil, err
		}
		response := arrived.Query()
		return &auth.AuthorizationResult{
			Code: response.Get("code"), State: response.Get("state"), Iss: response.Get("iss"),
		}, nil
	}
}
