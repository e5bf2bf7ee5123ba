import type { JSONWebKeySet } from "jose";
import { basePath, issuerUrl } from "../protocol/issuer_url.ts";
import { isObject } from "../protocol/json.ts";
import type { Introspection } from "./introspection.ts";
import { readByIntrospection } from "./introspection.ts";
import type { ReadToken } from "./jwt_access_token.ts";
import { readByKeys } from "./jwt_access_token.ts";
import { keep } from "./kept.ts";
import type { Outside } from "./outside.ts";
import { ask } from "./outside.ts";

/** A server whose tokens an API takes. */
export interface AuthorizationServer {
  issuer: string;
  /** Where its keys are. Default: what its metadata says. */
  jwksUri?: string;
  /** Asks it about each token, opaque ones among them (RFC 7662). Default: a token is a JWT, and its signature is checked here. */
  introspection?: Introspection;
}

export interface KnownServer extends AuthorizationServer {
  read: ReadToken;
}

/** Gets ready to read the tokens of a server; nothing is fetched before the first one comes. */
export function knowServer(server: AuthorizationServer, outside: Outside, clockTolerance: number): KnownServer {
  const { issuer, jwksUri, introspection } = server;
  const { now } = outside;
  if (introspection) {
    const discovered = keep(now, () => discover(issuer, "introspection_endpoint", outside));
    const endpoint = async () => introspection.endpoint ?? await discovered.get();
    return { ...server, read: readByIntrospection({ issuer, introspection, endpoint, outside }) };
  }
  const discovered = keep(now, () => discover(issuer, "jwks_uri", outside));
  const keys = keep(now, async () => await fetchKeys(jwksUri ?? await discovered.get(), outside));
  return { ...server, read: readByKeys({ issuer, keys, now, clockTolerance }) };
}

/** Looks something up in the metadata, which stands where OAuth says (RFC 8414, section 3), or OpenID Connect (Discovery, section 4). */
async function discover(issuer: string, member: "jwks_uri" | "introspection_endpoint", outside: Outside): Promise<string> {
  const metadata = await ask(outside, {
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

async function fetchKeys(url: string, outside: Outside): Promise<JSONWebKeySet> {
  const { keys } = await ask(outside, { at: [url], problemOf: ({ keys }) => isKeySet(keys) ? undefined : "the answer is no key set" });
  return { keys } as JSONWebKeySet;
}

function isKeySet(keys: unknown): boolean {
  return Array.isArray(keys) && keys.every(isObject);
}
