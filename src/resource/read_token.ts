import type { JWTPayload } from "jose";
import { decodeJwt } from "jose";
import { refuseToken } from "../protocol/presented_token.ts";
import type { KnownServer } from "./authorization_server.ts";

const section = "RFC 6750, section 3.1";

/** What a token says, if one of the servers issued it, and for this resource. */
export async function readToken(servers: readonly KnownServer[], resource: string, token: string): Promise<JWTPayload> {
  const issuer = issuerOf(token);
  for (const server of servers.filter((each) => issuer === undefined ? each.introspection : each.issuer === issuer)) {
    const claims = await server.read(token);
    if (claims && [claims.aud].flat().includes(resource)) return claims;
  }
  throw refuseToken("invalid_token", "The access token is unknown here, expired, revoked, or meant for another audience.", section);
}

/** Which server a JWT claims to be from; an opaque token names none. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
