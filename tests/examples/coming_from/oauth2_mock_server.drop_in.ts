import { OAuth2Server } from "hallpass/compat/oauth2-mock-server";

export async function openProvider(audience: string) {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "localhost");
  const mint = (sub: string, claims = {}) =>
    server.issuer.buildToken({
      scopesOrTransform: (_header, payload) => {
        Object.assign(payload, { sub, aud: audience, ...claims });
      },
    });
  const issuer = server.issuer.url ?? "";
  return { issuer, jwksUri: `${issuer}/jwks`, mint, close: () => server.stop() };
}
