import { decodeJwt, type JSONWebKeySet, type JWK, type JWTPayload } from "jose";
import { OutboundError } from "../http/outbound_fetch.ts";
import { basePath, issuerUrl } from "../protocol/issuer_url.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import { isObject } from "../util/json.ts";
import { createCachedValue } from "./cached_value.ts";
import { createIntrospectionReader, type IntrospectionConfig } from "./introspection.ts";
import { createJwtReader, type TokenReader } from "./jwt_access_token.ts";
import { fetchJson, type OutboundClient } from "./outbound_client.ts";

const invalidToken = errorFactory("invalid_token", "RFC 6750, section 3.1");

/** A server whose tokens an API accepts. */
export interface AuthorizationServer {
  /** The issuer identifier of the server. */
  issuer: string;
  /**
   * The URL of its keys.
   *
   * @default the one in its metadata
   */
  jwksUri?: string;
  /**
   * The `typ` of its access tokens. With `"JWT"`, tokens of that type are accepted as well as those
   * of the type `at+jwt`, which RFC 9068 requires.
   *
   * @default the `tokenType` of the API
   */
  tokenType?: "at+jwt" | "JWT" | undefined;
  /**
   * Introspects every token, opaque ones included (RFC 7662). By default a token must be a JWT, and
   * its signature is verified here.
   */
  introspection?: IntrospectionConfig;
}

/** An authorization server that is ready to read tokens. */
export interface ConnectedServer extends AuthorizationServer {
  read: TokenReader;
}

/** Prepares to read the tokens of a server. The first token causes the first fetch. */
export function connectServer(
  server: AuthorizationServer,
  client: OutboundClient,
  clockTolerance: number,
): ConnectedServer {
  const { issuer, jwksUri, introspection, tokenType = "at+jwt" } = server;
  const { now } = client;
  if (introspection) {
    const discovered = createCachedValue(
      now,
      () => discover(issuer, "introspection_endpoint", client),
    );
    const endpoint = async () => introspection.endpoint ?? await discovered.get();
    const read = createIntrospectionReader({ issuer, introspection, endpoint, client });
    return { ...server, read };
  }
  const discovered = createCachedValue(now, () => discover(issuer, "jwks_uri", client));
  const keys = createCachedValue(
    now,
    async () => await fetchKeys(jwksUri ?? await discovered.get(), client),
  );
  return { ...server, read: createJwtReader({ issuer, keys, now, clockTolerance, tokenType }) };
}

/**
 * Reads a URL from the metadata, which is at the path of OAuth (RFC 8414, section 3) or of OpenID
 * Connect (Discovery, section 4).
 */
async function discover(
  issuer: string,
  member: "jwks_uri" | "introspection_endpoint",
  client: OutboundClient,
): Promise<string> {
  const { origin } = new URL(issuer);
  return await fetchJson(client, {
    url: `${origin}/.well-known/oauth-authorization-server${basePath(issuer)}`,
    fallbackUrl: issuerUrl(issuer, "/.well-known/openid-configuration"),
    read(metadata) {
      if (metadata.issuer !== issuer) {
        throw new OutboundError(`the 'issuer' of the metadata is not '${issuer}'`);
      }
      const url = metadata[member];
      if (typeof url === "string") return url;
      throw new OutboundError(`the metadata has no '${member}'`);
    },
  });
}

async function fetchKeys(url: string, client: OutboundClient): Promise<JSONWebKeySet> {
  return await fetchJson(client, {
    url,
    read({ keys }) {
      if (isKeyList(keys)) return { keys };
      throw new OutboundError("the response is not a key set");
    },
  });
}

function isKeyList(value: unknown): value is JWK[] {
  return Array.isArray(value) && value.every(isObject);
}

/** Returns the claims of a token that one of the servers issued for this resource. */
export async function readToken(
  servers: readonly ConnectedServer[],
  resource: string,
  token: string,
): Promise<JWTPayload> {
  const issuer = unverifiedIssuer(token);
  const candidates = servers.filter((server) =>
    issuer === undefined ? server.introspection : server.issuer === issuer
  );
  for (const server of candidates) {
    const claims = await server.read(token);
    if (claims && [claims.aud].flat().includes(resource)) return claims;
  }
  throw invalidToken(
    "The access token is unknown, expired, revoked, or meant for another audience.",
  );
}

/** Returns the `iss` of a JWT before it is verified, or undefined for an opaque token. */
function unverifiedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}
