// The application under test: an API that verifies access tokens with jose. It contains no test
// code.
import { createRemoteJWKSet, jwtVerify } from "jose";

/**
 * Returns an API that greets the subject of a valid access token, and reads the keys of its issuer.
 */
export function createApi(issuer: string, audience: string, jwksUri = `${issuer}/oauth2/jwks`) {
  const keys = createRemoteJWKSet(new URL(jwksUri));
  return async (request: Request): Promise<Response> => {
    const [, token = ""] = request.headers.get("Authorization")?.split(" ") ?? [];
    try {
      const { payload } = await jwtVerify(token, keys, { issuer, audience });
      return Response.json({ hello: payload.sub, roles: payload.roles });
    } catch {
      return new Response(null, { status: 401 });
    }
  };
}

/** Returns a request that carries an access token. */
export function withToken(token: string): Request {
  return new Request("https://api.example/", { headers: { Authorization: `Bearer ${token}` } });
}
