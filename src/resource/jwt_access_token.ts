import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTPayload, jwtVerify } from "jose";
import { OutboundError } from "../http/outbound_fetch.ts";
import { accessTokenType } from "../model/access_token.ts";
import type { CachedValue } from "./cached_value.ts";

/** Tells what a token says, where it is one of a server's and valid now. */
export type ReadToken = (token: string) => Promise<JWTPayload | undefined>;

/** What the tokens of a server are held against. */
export interface JwksServer {
  issuer: string;
  keys: CachedValue<JSONWebKeySet>;
  now: () => number;
  /** In seconds. */
  clockTolerance: number;
}

/** Signatures that only the server can make: none that shares its key with whoever checks (RFC 8725, section 3.1). */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** Reads access tokens that are JWTs (RFC 9068, section 4). */
export function readByJwks(server: JwksServer): ReadToken {
  return async (token) => {
    try {
      return await verify(server, token, await server.keys.get());
    } catch (cause) {
      // The key may be newer than what is kept of the key set.
      if (cause instanceof errors.JWKSNoMatchingKey) return await tryAgain(server, token);
      return toNoToken(cause);
    }
  };
}

async function tryAgain(server: JwksServer, token: string): Promise<JWTPayload | undefined> {
  const keys = await server.keys.renew();
  return await verify(server, token, keys).catch(toNoToken);
}

async function verify(server: JwksServer, token: string, keys: JSONWebKeySet): Promise<JWTPayload> {
  const { payload } = await jwtVerify(token, createLocalJWKSet(keys), {
    issuer: server.issuer,
    typ: accessTokenType,
    algorithms,
    currentDate: new Date(server.now()),
    clockTolerance: server.clockTolerance,
    requiredClaims: ["exp", "sub", "client_id", "iat", "jti"],
  });
  return payload;
}

/** Whatever is wrong with a token, or with the key that it names, it is none; that no key could be fetched is not its fault. */
function toNoToken(cause: unknown): undefined {
  if (cause instanceof OutboundError) throw cause;
}
