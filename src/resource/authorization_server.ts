import { decodeJwt, type JSONWebKeySet, type JWK, type JWTPayload } from "jose";
import { OutboundError } from "../server/http/outbound_fetch.ts";
import { basePath, issuerUrl } from "../server/protocol/issuer_url.ts";
import { applyRule, requirePresent } from "../server/protocol/rule.ts";
import { isObject } from "../server/util/text/json.ts";
import { apiRules } from "./api_rules.ts";
import { createCachedValue } from "./cached_value.ts";
import { fetchJson, type OutboundClient } from "./outbound_client.ts";
import {
  createIntrospectionReader,
  createJwtReader,
  type IntrospectionConfig,
  type TokenReader,
} from "./token_readers.ts";

/** The members of the metadata that contain the URLs used here. */
type UrlMember = "jwks_uri" | "introspection_endpoint";

/** An authorization server whose access tokens this API accepts. */
export interface AuthorizationServerConfig {
  /** The issuer identifier of the server. */
  issuer: string;
  /**
   * The URL of its keys.
   *
   * @default the one in its metadata
   */
  jwksUri?: string;
  /**
   * The `typ` of its access tokens. `"JWT"` accepts both types: `JWT`, and `at+jwt` as RFC 9068
   * requires.
   *
   * @default the `tokenType` of the API
   */
  tokenType?: "at+jwt" | "JWT" | undefined;
  /**
   * Introspects every token, opaque ones included (RFC 7662). By default a token must be a JWT, and
   * this process verifies its signature.
   */
  introspection?: IntrospectionConfig;
}

export interface TokenSource extends AuthorizationServerConfig {
  read: TokenReader;
}

/**
 * Creates a reader of a server's tokens. It fetches the metadata and the keys when the first token
 * arrives.
 */
export function createTokenSource(
  server: AuthorizationServerConfig,
  client: OutboundClient,
  clockTolerance: number,
): TokenSource {
  const { issuer, jwksUri, introspection, tokenType = "at+jwt" } = server;
  if (introspection) {
    const endpoint = urlOf(issuer, "introspection_endpoint", introspection.endpoint, client);
    const read = createIntrospectionReader({
      issuer,
      clockTolerance,
      introspection,
      endpoint,
      client,
    });
    return { ...server, read };
  }
  const { now } = client;
  const keysUrl = urlOf(issuer, "jwks_uri", jwksUri, client);
  const keys = createCachedValue(now, async () => await fetchKeys(await keysUrl(), client));
  return { ...server, read: createJwtReader({ issuer, keys, now, clockTolerance, tokenType }) };
}

/** Returns the claims of a token that one of the servers issued for this resource. */
export async function readToken(
  servers: readonly TokenSource[],
  resource: string,
  token: string,
): Promise<JWTPayload> {
  return requirePresent(applyRule, apiRules.token, await findClaims(servers, resource, token));
}

async function findClaims(
  servers: readonly TokenSource[],
  resource: string,
  token: string,
): Promise<JWTPayload | undefined> {
  for (const server of candidatesFor(token, servers)) {
    const claims = await server.read(token);
    if (claims && hasAudience(claims, resource)) return claims;
  }
  return undefined;
}

/**
 * Returns the servers that may have issued a token. A JWT names its issuer. An opaque token is sent
 * to the servers with introspection, one after the other, until one of them accepts it.
 */
function candidatesFor(token: string, servers: readonly TokenSource[]): TokenSource[] {
  const issuer = unverifiedIssuer(token);
  if (issuer === undefined) return servers.filter((server) => server.introspection);
  return servers.filter((server) => server.issuer === issuer);
}

/** Returns the unverified `iss` of a JWT, or undefined for an opaque token or a JWT without it. */
function unverifiedIssuer(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function hasAudience({ aud }: JWTPayload, resource: string): boolean {
  return [aud].flat().some((each) => each === resource || isSameOrigin(each, resource));
}

/** A URL without a path is the same with a slash (RFC 3986, 6.2.3), and libraries add one. */
function isSameOrigin(audience: string | undefined, resource: string): boolean {
  const origin = /^https?:\/\/[^/?#]+(?=\/?$)/;
  const [found] = origin.exec(audience ?? "") ?? [];
  return found !== undefined && found === origin.exec(resource)?.[0];
}

/** Returns a function that gets a configured URL, or else the one in the metadata. */
function urlOf(
  issuer: string,
  member: UrlMember,
  configured: string | undefined,
  client: OutboundClient,
): () => Promise<string> {
  if (configured !== undefined) return () => Promise.resolve(configured);
  return createCachedValue(client.now, () => fetchMetadataUrl(issuer, member, client)).get;
}

/**
 * Fetches the metadata and returns one of its URLs. The metadata is at the path of OAuth (RFC 8414,
 * section 3) or of OpenID Connect (Discovery, section 4).
 */
async function fetchMetadataUrl(
  issuer: string,
  member: UrlMember,
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
