module example.com/shop

go 1.24

require (
	github.com/coreos/go-oidc/v3 v3.15.0
	github.com/go-jose/go-jose/v4 v4.0.5
	golang.org/x/oauth2 v0.30.0
)

require golang.org/x/crypto v0.36.0 // indirect
