// An ID token and claims of the user that are encrypted: go-oidc verifies, and go-jose decrypts.
package shop

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"testing"

	"example.com/shop/hallpass"
	"github.com/coreos/go-oidc/v3/oidc"
	"github.com/go-jose/go-jose/v4"
	"golang.org/x/oauth2"
)

// decrypter opens what the server encrypted for the shop, with the algorithms that it registered.
type decrypter struct {
	alg jose.KeyAlgorithm
	enc jose.ContentEncryption
	key crypto.Signer
}

func (own decrypter) open(text string) (string, error) {
	jwe, err := jose.ParseEncryptedCompact(text, []jose.KeyAlgorithm{own.alg}, []jose.ContentEncryption{own.enc})
	if err != nil {
		return "", err
	}
	content, err := jwe.Decrypt(own.key)
	return string(content), err
}

// openEncrypted starts an issuer that encrypts for the shop.
func openEncrypted(t *testing.T, own decrypter) (*hallpass.Issuer, shop) {
	t.Helper()
	key := jose.JSONWebKey{Key: own.key.Public(), KeyID: "shop-enc", Algorithm: string(own.alg), Use: "enc"}
	issuer := hallpass.New(t, hallpass.Object{"clients": []hallpass.Object{{
		"id": "shop", "secret": secret, "redirectUris": []string{callback},
		"jwks":                 jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}},
		"idTokenEncryptionAlg": own.alg, "idTokenEncryptionEnc": own.enc,
		"userinfoAlg": "RS256", "userinfoEncryptionAlg": own.alg, "userinfoEncryptionEnc": own.enc,
	}}})
	provider, err := oidc.NewProvider(context.Background(), issuer.URL)
	if err != nil {
		t.Fatal(err)
	}
	return issuer, shop{oauth2.Config{ClientID: "shop", ClientSecret: secret, RedirectURL: callback,
		Endpoint: provider.Endpoint(), Scopes: []string{oidc.ScopeOpenID, "profile"}}, provider}
}

// logInEncrypted returns the subject and the name of the user.
func (shop shop) logInEncrypted(issuer *hallpass.Issuer, own decrypter) (subject, name string, err error) {
	ctx := context.Background()
	verifier, nonce := oauth2.GenerateVerifier(), rand.Text()
	request := shop.AuthCodeURL("a-state", oauth2.S256ChallengeOption(verifier), oidc.Nonce(nonce))
	arrived, err := url.Parse(issuer.Authorize(request, "alice"))
	if err != nil {
		return "", "", err
	}
	tokens, err := shop.Exchange(ctx, arrived.Query().Get("code"), oauth2.VerifierOption(verifier))
	if err != nil {
		return "", "", err
	}
	raw, _ := tokens.Extra("id_token").(string)
	signed, err := own.open(raw)
	if err != nil {
		return "", "", err
	}
	// What was inside is verified as if it had come without.
	idToken, err := shop.Verifier(&oidc.Config{ClientID: "shop"}).Verify(ctx, signed)
	if err != nil {
		return "", "", err
	}
	if idToken.Nonce != nonce {
		return "", "", fmt.Errorf("the nonce is %s", idToken.Nonce)
	}
	response, err := shop.Client(ctx, tokens).Get(shop.UserInfoEndpoint())
	if err != nil {
		return "", "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return "", "", err
	}
	person, err := own.open(string(body))
	if err != nil {
		return "", "", err
	}
	keys := oidc.NewRemoteKeySet(ctx, issuer.URL+"/oauth2/jwks")
	content, err := keys.VerifySignature(ctx, person)
	if err != nil {
		return "", "", err
	}
	var claims struct{ Sub, Name, Iss, Aud string }
	err = json.Unmarshal(content, &claims)
	if err == nil && (claims.Sub != idToken.Subject || claims.Iss != issuer.URL || claims.Aud != "shop") {
		err = fmt.Errorf("userinfo is %s", content)
	}
	return idToken.Subject, claims.Name, err
}

func TestEncryptedLogin(t *testing.T) {
	ec, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	long, _ := rsa.GenerateKey(rand.Reader, 2048)
	for _, own := range []decrypter{
		{jose.RSA_OAEP_256, jose.A256GCM, long},
		{jose.ECDH_ES, jose.A128GCM, ec},
		{jose.ECDH_ES_A128KW, jose.A128GCM, ec},
		{jose.ECDH_ES_A256KW, jose.A256GCM, ec},
	} {
		t.Run(string(own.alg), func(t *testing.T) {
			t.Parallel()
			issuer, shop := openEncrypted(t, own)
			subject, name, err := shop.logInEncrypted(issuer, own)
			if err != nil || subject != "alice" || name != "Alice Adler" {
				t.Error("the login is ", subject, name, err)
			}
			issuer.AssertClean()
		})
	}
}

func TestHostileEncryption(t *testing.T) {
	ec, _ := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	own := decrypter{jose.ECDH_ES_A256KW, jose.A256GCM, ec}
	for _, fault := range []string{
		"id_token.encrypted_unsigned", "id_token.encrypted_for_other_key", "id_token.unencrypted",
		"id_token.wrong_encryption_alg", "id_token.wrong_encryption_enc",
		"id_token.alg_none", "id_token.wrong_iss", "id_token.wrong_aud", "id_token.foreign_signature",
		"userinfo.encrypted_unsigned", "userinfo.unencrypted", "userinfo.wrong_sub", "userinfo.wrong_aud",
	} {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			issuer, shop := openEncrypted(t, own)
			issuer.Lab("/faults", hallpass.Object{"name": fault})
			if _, _, err := shop.logInEncrypted(issuer, own); err == nil {
				t.Error("the login should have failed")
			}
			issuer.AssertNoIdleFaults()
		})
	}
}
