import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { http, HttpResponse } from "msw";
import { setupServer } from "msw/node";

export async function openProvider(_redirectUri: string) {
  const issuer = "https://id.example";
  const { privateKey, publicKey } = await generateKeyPair("RS256");
  let nonce: string | undefined;
  const signIdToken = () =>
    new SignJWT({ nonce })
      .setProtectedHeader({ alg: "RS256", kid: "1" })
      .setIssuer(issuer)
      .setSubject("alice")
      .setAudience("web")
      .setIssuedAt()
      .setExpirationTime("1h")
      .sign(privateKey);
  const network = setupServer(
    http.get(`${issuer}/.well-known/openid-configuration`, () =>
      HttpResponse.json({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        userinfo_endpoint: `${issuer}/userinfo`,
        jwks_uri: `${issuer}/jwks`,
        response_types_supported: ["code"],
        subject_types_supported: ["public"],
        id_token_signing_alg_values_supported: ["RS256"],
      })),
    http.get(`${issuer}/jwks`, async () => {
      const jwk = await exportJWK(publicKey);
      return HttpResponse.json({ keys: [{ ...jwk, kid: "1", alg: "RS256", use: "sig" }] });
    }),
    http.post(`${issuer}/token`, async () =>
      HttpResponse.json({
        access_token: "an-access-token",
        token_type: "Bearer",
        expires_in: 3600,
        id_token: await signIdToken(),
      })),
    http.get(`${issuer}/userinfo`, () => HttpResponse.json({ sub: "alice", name: "Alice Adler" })),
  );
  network.listen();
  const authorize = async (url: string) => {
    const parameters = new URL(url).searchParams;
    nonce = parameters.get("nonce") ?? undefined;
    const response = { code: "a-code", state: parameters.get("state") ?? "" };
    return `${parameters.get("redirect_uri")}?${new URLSearchParams(response)}`;
  };
  return { issuer, authorize, close: async () => network.close() };
}
