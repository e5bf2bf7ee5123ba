package notes

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/auth/extauth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"golang.org/x/oauth2"
)

// Enterprise is a company that decides which MCP servers its employees may use.
type Enterprise struct {
	Company     string // the issuer of its identity provider
	AtCompany   *oauthex.ClientCredentials
	RedirectURL string // at the company
	Server      string // the issuer of the authorization server of the MCP server
	AtServer    *oauthex.ClientCredentials
	Scopes      []string // the SDK requests these alone, whatever a challenge names
}

// Secret returns the credentials of a confidential client.
func Secret(id, secret string) *oauthex.ClientCredentials {
	return &oauthex.ClientCredentials{
		ClientID: id, ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: secret},
	}
}

// Connect connects to the MCP server at a URL, as an employee who signs in at the company alone.
func (enterprise Enterprise) Connect(ctx context.Context, url string, browser Browser) (*mcp.ClientSession, error) {
	handler, err := extauth.NewEnterpriseHandler(&extauth.EnterpriseHandlerConfig{
		IdPIssuerURL:     enterprise.Company,
		IdPCredentials:   enterprise.AtCompany,
		MCPAuthServerURL: enterprise.Server,
		MCPResourceURI:   url,
		MCPCredentials:   enterprise.AtServer,
		MCPScopes:        enterprise.Scopes,
		IDTokenFetcher:   enterprise.signInWith(browser),
	})
	if err != nil {
		return nil, err
	}
	return ConnectWith(ctx, url, handler)
}

func (enterprise Enterprise) signInWith(browser Browser) extauth.IDTokenFetcher {
	return func(ctx context.Context) (*oauth2.Token, error) {
		return extauth.PerformOIDCLogin(ctx, &extauth.OIDCLoginConfig{
			IssuerURL:   enterprise.Company,
			Credentials: enterprise.AtCompany,
			RedirectURL: enterprise.RedirectURL,
			Scopes:      []string{"openid"},
		}, fetchWith(browser))
	}
}
