import type { JSONWebKeySet } from "jose";
import { basePath, issuerUrl } from "../protocol/issuer_url.ts";
import { isObject } from "../util/json.ts";
import { createCachedValue } from "./cached_value.ts";
import { type IntrospectionConfig, readByIntrospection } from "./introspection.ts";
import { readByJwks, type ReadToken } from "./jwt_access_token.ts";
import { type OutboundClient, query } from "./outbound_client.ts";

/** A server whose tokens an API takes. */
export interface AuthorizationServer {
  /** The issuer identifier of the server. */
  issuer: string;
  /** Where its keys are. Default: what its metadata says. */
  jwksUri?: string;
  /** Asks it about each token, opaque ones among them (RFC 7662). Default: a token is a JWT, and its signature is checked here. */
  introspection?: IntrospectionConfig;
}

export interface ConnectedServer extends AuthorizationServer {
  read: ReadToken;
}

/** Gets ready to read the tokens of a server; nothing is fetched before the first one comes. */
export function connectServer(
  server: AuthorizationServer,
  client: OutboundClient,
  clockTolerance: number,
): ConnectedServer {
  const { issuer, jwksUri, introspection } = server;
  const { now } = client;
  if (introspection) {
    const discovered = createCachedValue(
      now,
      () => discover(issuer, "introspection_endpoint", client),
    );
    const endpoint = async () => introspection.endpoint ?? await discovered.get();
    return {
      ...server,
      read: readByIntrospection({ issuer, introspection, endpoint, outside: client }),
    };
  }
  const discovered = createCachedValue(now, () => discover(issuer, "jwks_uri", client));
  const keys = createCachedValue(
    now,
    async () => await fetchKeys(jwksUri ?? await discovered.get(), client),
  );
  return { ...server, read: readByJwks({ issuer, keys, now, clockTolerance }) };
}

/** Looks something up in the metadata, which stands where OAuth says (RFC 8414, section 3), or OpenID Connect (Discovery, section 4). */
async function discover(
  issuer: string,
  member: "jwks_uri" | "introspection_endpoint",
  client: OutboundClient,
): Promise<string> {
  const metadata = await query(client, {
    at: [
      `${new URL(issuer).origin}/.well-known/oauth-authorization-server${basePath(issuer)}`,
      issuerUrl(issuer, "/.well-known/openid-configuration"),
    ],
    problemOf: (answer) => {
      if (answer.issuer !== issuer) return `the metadata is that of another issuer than ${issuer}`;
      return typeof answer[member] === "string" ? undefined : `the metadata has no ${member}`;
    },
  });
  return String(metadata[member]);
}

async function fetchKeys(url: string, client: OutboundClient): Promise<JSONWebKeySet> {
  const { keys } = await query(client, {
    at: [url],
    problemOf: ({ keys }) => isKeySet(keys) ? undefined : "the answer is no key set",
  });
  return { keys } as JSONWebKeySet;
}

function isKeySet(keys: unknown): boolean {
  return Array.isArray(keys) && keys.every(isObject);
}
