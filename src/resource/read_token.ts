import { decodeJwt, type JWTPayload } from "jose";
import { errorFactory } from "../protocol/oauth_error.ts";
import type { ConnectedServer } from "./authorization_server.ts";

const invalidToken = errorFactory("invalid_token", "RFC 6750, section 3.1");

/** What a token says, if one of the servers issued it, and for this resource. */
export async function readToken(
  servers: readonly ConnectedServer[],
  resource: string,
  token: string,
): Promise<JWTPayload> {
  const issuer = issuerOf(token);
  for (
    const server of servers.filter((each) =>
      issuer === undefined ? each.introspection : each.issuer === issuer
    )
  ) {
    const claims = await server.read(token);
    if (claims && [claims.aud].flat().includes(resource)) return claims;
  }
  throw invalidToken(
    "The access token is unknown here, expired, revoked, or meant for another audience.",
  );
}

/** Which server a JWT claims to be from; an opaque token names none. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
