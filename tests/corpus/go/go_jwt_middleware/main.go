// An API with go-jwt-middleware 2.3.1, by its README and examples/http-jwks-example.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"time"

	jwtmiddleware "github.com/auth0/go-jwt-middleware/v2"
	"github.com/auth0/go-jwt-middleware/v2/jwks"
	"github.com/auth0/go-jwt-middleware/v2/validator"
)

// CustomClaims has what the library does not know.
type CustomClaims struct {
	Scope string `json:"scope"`
}

// Validate does nothing: the handler checks the scope.
func (c *CustomClaims) Validate(ctx context.Context) error { return nil }

func main() {
	issuer, err := url.Parse(os.Getenv("ISSUER"))
	if err != nil {
		log.Fatal(err)
	}
	provider := jwks.NewCachingProvider(issuer, 5*time.Minute)
	jwtValidator, err := validator.New(provider.KeyFunc, validator.RS256, issuer.String(),
		[]string{os.Getenv("AUDIENCE")},
		validator.WithCustomClaims(func() validator.CustomClaims { return &CustomClaims{} }))
	if err != nil {
		log.Fatal(err)
	}
	refused := func(w http.ResponseWriter, r *http.Request, err error) {
		challenge := "Bearer"
		if errors.Is(err, jwtmiddleware.ErrJWTInvalid) {
			challenge = `Bearer error="invalid_token"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
		w.WriteHeader(http.StatusUnauthorized)
	}
	middleware := jwtmiddleware.New(jwtValidator.ValidateToken, jwtmiddleware.WithErrorHandler(refused))
	orders := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		claims := r.Context().Value(jwtmiddleware.ContextKey{}).(*validator.ValidatedClaims)
		if !slices.Contains(strings.Fields(claims.CustomClaims.(*CustomClaims).Scope), "read") {
			w.Header().Set("WWW-Authenticate", `Bearer error="insufficient_scope", scope="read"`)
			w.WriteHeader(http.StatusForbidden)
			return
		}
		fmt.Fprintf(w, "Orders of %s", claims.RegisteredClaims.Subject)
	})
	http.Handle("GET /orders", middleware.CheckJWT(orders))
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
