/**
 * Protects an API: verifies access tokens (RFC 9068, RFC 7662, RFC 9449) and publishes the metadata
 * of the API (RFC 9728).
 *
 * @example
 * ```ts
 * import { protectedResource } from "@hallpass/hallpass/resource";
 *
 * const api = protectedResource({
 *   resource: "https://api.example",
 *   authorizationServers: ["https://id.example"],
 * });
 *
 * export async function handle(request: Request): Promise<Response> {
 *   const access = await api.require(request, { scope: ["orders:read"] });
 *   if (access instanceof Response) return access;
 *   return Response.json({ orders: [], of: access.subject });
 * }
 * ```
 *
 * @module
 */

import { OutboundError, type OutboundFetch } from "../server/http/outbound_fetch.ts";
import { errorResponse } from "../server/http/response.ts";
import { toResponse } from "../server/http/response_data.ts";
import { type DpopAlgorithm, dpopAlgorithms } from "../server/protocol/dpop_proof.ts";
import { OAuthError } from "../server/protocol/oauth_error.ts";
import {
  type ChallengePolicy,
  readPresentedToken,
  withChallenges,
} from "../server/protocol/presented_token.ts";
import { applyRule } from "../server/protocol/rule.ts";
import {
  type AuthorizationServerConfig,
  createTokenSource,
  readToken,
  type TokenSource,
} from "./authorization_server.ts";
import type { FetchFailure } from "./outbound_client.ts";
import {
  type CertificateOf,
  checkPossession,
  createProofMemory,
  type NoteProof,
} from "./possession.ts";
import type { ClientPrivateKey, WebCryptoKey } from "./private_key_jwt.ts";
import { checkResourceConfig, type ProtectedResourceConfig } from "./protected_resource_config.ts";
import { metadataResponse, metadataUrl, type ResourceMetadata } from "./resource_metadata.ts";
import type { IntrospectionConfig } from "./token_readers.ts";
import {
  type AccessRequirements,
  checkScope,
  checkSignIn,
  createScopeHierarchy,
  type ImpliedScopes,
  signInMembers,
  toVerifiedAccess,
  type VerifiedAccess,
} from "./verified_access.ts";

export type { JWTPayload } from "jose";

export type {
  AccessRequirements,
  AuthorizationServerConfig,
  CertificateOf,
  ClientPrivateKey,
  DpopAlgorithm,
  FetchFailure,
  ImpliedScopes,
  IntrospectionConfig,
  NoteProof,
  OutboundFetch,
  ProtectedResourceConfig,
  ResourceMetadata,
  VerifiedAccess,
  WebCryptoKey,
};

/** An API that accepts access tokens. */
export interface ProtectedResource {
  /** The metadata for clients (RFC 9728). */
  readonly metadata: ResourceMetadata;
  /** The URL of the metadata, which the challenges name. */
  readonly metadataUrl: string;
  /** Responds to a request for the metadata. Returns undefined for any other request. */
  handle(request: Request): Response | undefined;
  /** Returns what the token of a request allows, or the response that refuses the request. */
  require(request: Request, requirements?: AccessRequirements): Promise<VerifiedAccess | Response>;
}

/** Protects an API, on any server that uses `Request` and `Response`. */
export function protectedResource(config: ProtectedResourceConfig): ProtectedResource {
  checkResourceConfig(config);
  const { resource, now = Date.now, dpopAlgs = dpopAlgorithms, initialScope = [] } = config;
  const atRoot = config.metadataAtRoot ?? false;
  const hierarchy = createScopeHierarchy(config.impliedScopes);
  const servers = createTokenSources(config, now);
  const metadata = createMetadata(config, servers, dpopAlgs);
  const possession = {
    now,
    algs: dpopAlgs,
    urlOf: config.urlOf ?? urlBelow(resource),
    noteProof: config.noteProof ?? createProofMemory(now),
    certificateOf: config.certificateOf,
  };

  async function verify(
    request: Request,
    requirements: AccessRequirements,
  ): Promise<VerifiedAccess> {
    const scope = hierarchy.fewest(requirements.scope ?? initialScope);
    const policy = challengePolicy(metadata, dpopAlgs, scope);
    const authorization = request.headers.get("Authorization");
    const presented = readPresentedToken(applyRule, authorization, undefined, policy);
    let challenges = policy;
    try {
      const claims = await readToken(servers, resource, presented.token);
      await checkPossession(possession, request, presented, claims);
      const access = toVerifiedAccess(claims, presented.token);
      checkScope(access, requirements, hierarchy);
      challenges = { ...policy, members: { ...policy.members, ...signInMembers(requirements) } };
      checkSignIn(access, requirements, now());
      return access;
    } catch (cause) {
      throw withChallenges(challenges, presented.scheme, cause);
    }
  }

  return {
    metadata,
    metadataUrl: metadataUrl(resource),
    handle: (request) => metadataResponse(request, metadata, atRoot),
    async require(request, requirements = {}) {
      try {
        return await verify(request, requirements);
      } catch (cause) {
        return toResponse(errorResponse(toResourceError(cause), resource));
      }
    },
  };
}

function createTokenSources(
  { authorizationServers, clockTolerance = 10, tokenType = "at+jwt", ...config }:
    ProtectedResourceConfig,
  now: () => number,
): TokenSource[] {
  const client = {
    now,
    fetch: config.fetch ?? ((url, init) => fetch(url, init)),
    onFailure: config.onFailure ?? (() => {}),
  };
  return authorizationServers.map((server) => {
    const settings = typeof server === "string" ? { issuer: server } : server;
    return createTokenSource({ tokenType, ...settings }, client, clockTolerance);
  });
}

function createMetadata(
  { resource, scopes, name, documentation, dpop, certificateOf }: ProtectedResourceConfig,
  servers: readonly TokenSource[],
  dpopAlgs: readonly DpopAlgorithm[],
): ResourceMetadata {
  return {
    resource,
    authorization_servers: servers.map(({ issuer }) => issuer),
    bearer_methods_supported: ["header"],
    ...scopes && { scopes_supported: scopes },
    ...name !== undefined && { resource_name: name },
    ...documentation !== undefined && { resource_documentation: documentation },
    dpop_signing_alg_values_supported: dpopAlgs,
    dpop_bound_access_tokens_required: dpop === "required",
    ...certificateOf && { tls_client_certificate_bound_access_tokens: true },
  };
}

/** Names the metadata and the scope in challenges (RFC 9728, section 5.1; RFC 6750, section 3). */
function challengePolicy(
  { resource, dpop_bound_access_tokens_required: requiresDpop }: ResourceMetadata,
  algs: readonly string[],
  scope: readonly string[],
): ChallengePolicy {
  return {
    schemes: requiresDpop ? ["DPoP"] : ["Bearer", "DPoP"],
    algs,
    members: {
      ...scope.length > 0 && { scope: scope.join(" ") },
      resource_metadata: metadataUrl(resource),
    },
  };
}

/** Ignores the `Host` of a request, which an attacker can choose. */
function urlBelow(resource: string): (request: Request) => string {
  const { origin } = new URL(resource);
  return (request) => origin + new URL(request.url).pathname;
}

/** An unreachable authorization server is not the client's fault, and the client may try again. */
function toResourceError(cause: unknown): OAuthError {
  if (cause instanceof OAuthError) return cause;
  if (!(cause instanceof OutboundError)) throw cause;
  return new OAuthError(
    "temporarily_unavailable",
    "The authorization server cannot be reached. Try again in a moment.",
    { headers: { "Retry-After": "5" }, cause },
  );
}
