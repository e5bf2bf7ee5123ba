// zitadel/oidc 3.52.0, by its example/client/app: PKCE, state by the library's cookie, userinfo.
package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"html"
	"log"
	"net/http"
	"os"
	"sync"

	"github.com/zitadel/oidc/v3/pkg/client/rp"
	httphelper "github.com/zitadel/oidc/v3/pkg/http"
	"github.com/zitadel/oidc/v3/pkg/oidc"
)

var sessions sync.Map

func main() {
	ctx := context.Background()
	base := os.Getenv("BASE_URL")
	key := []byte("a key of 16 byte")
	cookies := httphelper.NewCookieHandler(key, key, httphelper.WithUnsecure())
	provider, err := rp.NewRelyingPartyOIDC(ctx, os.Getenv("ISSUER"), os.Getenv("CLIENT_ID"),
		os.Getenv("CLIENT_SECRET"), base+"/auth/callback", []string{"openid", "profile", "email"},
		rp.WithCookieHandler(cookies), rp.WithPKCE(cookies))
	if err != nil {
		log.Fatal(err)
	}
	state := func() string { return rand.Text() }

	http.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `<a href="/login">login</a> <a href="/account">account</a>`)
	})
	http.Handle("GET /login", rp.AuthURLHandler(state, provider))
	signedIn := func(w http.ResponseWriter, r *http.Request, tokens *oidc.Tokens[*oidc.IDTokenClaims],
		state string, provider rp.RelyingParty, info *oidc.UserInfo) {
		id := rand.Text()
		sessions.Store(id, info.Name)
		http.SetCookie(w, &http.Cookie{
			Name: "session", Value: id, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode,
		})
		http.Redirect(w, r, "/account", http.StatusFound)
	}
	http.Handle("GET /auth/callback", rp.CodeExchangeHandler(rp.UserinfoCallback(signedIn), provider))
	http.HandleFunc("GET /account", func(w http.ResponseWriter, r *http.Request) {
		c, err := r.Cookie("session")
		if err == nil {
			if name, ok := sessions.Load(c.Value); ok {
				fmt.Fprintf(w, `Hello %s <a href="/logout">logout</a>`, html.EscapeString(name.(string)))
				return
			}
		}
		http.Redirect(w, r, "/login", http.StatusFound)
	})
	http.HandleFunc("GET /logout", func(w http.ResponseWriter, r *http.Request) {
		if c, err := r.Cookie("session"); err == nil {
			sessions.Delete(c.Value)
		}
		http.SetCookie(w, &http.Cookie{Name: "session", Path: "/", MaxAge: -1})
		http.Redirect(w, r, "/", http.StatusFound)
	})
	log.Fatal(http.ListenAndServe("localhost:"+os.Getenv("PORT"), nil))
}
