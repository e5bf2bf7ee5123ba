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

import { OutboundError, type OutboundFetch } from "../http/outbound_fetch.ts";
import { errorResponse } from "../http/response.ts";
import { type DpopAlgorithm, dpopAlgorithms } from "../protocol/dpop_proof.ts";
import { errorFactory, OAuthError } from "../protocol/oauth_error.ts";
import {
  type ChallengePolicy,
  readPresentedToken,
  withChallenges,
} from "../protocol/presented_token.ts";
import { formatScope } from "../protocol/scope.ts";
import { isWebUrl } from "../util/uri.ts";
import {
  type AuthorizationServer,
  type ConnectedServer,
  connectServer,
} from "./authorization_server.ts";
import type { IntrospectionConfig } from "./introspection.ts";
import type { FetchFailure } from "./outbound_client.ts";
import { checkPossession } from "./possession.ts";
import type { ClientPrivateKey } from "./private_key_jwt.ts";
import { createProofMemory, type NoteProof } from "./proof_memory.ts";
import { readToken } from "./read_token.ts";
import { metadataResponse, metadataUrl, type ResourceMetadata } from "./resource_metadata.ts";
import {
  type AccessRequirements,
  checkScope,
  checkSignIn,
  signInMembers,
  toVerifiedAccess,
  type VerifiedAccess,
} from "./verified_access.ts";

const temporarilyUnavailable = errorFactory("temporarily_unavailable");

export type { JWTPayload } from "jose";

export type {
  AccessRequirements,
  AuthorizationServer,
  ClientPrivateKey,
  DpopAlgorithm,
  FetchFailure,
  IntrospectionConfig,
  NoteProof,
  OutboundFetch,
  ResourceMetadata,
  VerifiedAccess,
};

/** What an API says of itself. Whatever has a default may be left out. */
export interface ProtectedResourceConfig {
  /** Its identifier, an URL without a fragment: the `aud` of its tokens. */
  resource: string;
  /** The servers whose tokens it takes; an issuer alone is enough where its tokens are JWTs. */
  authorizationServers: ReadonlyArray<string | AuthorizationServer>;
  /** The scopes that clients may need, for its metadata. */
  scopes?: string[];
  /** What people call it, and where they can read about it. */
  name?: string;
  /** The URL of its documentation for developers (`resource_documentation`). */
  documentation?: string;
  /** Whether tokens must be bound to a key (RFC 9449). Default: optional. */
  dpop?: "required" | "optional";
  /** The algorithms of DPoP proofs. Default: ES256, PS256, EdDSA, Ed25519, RS256. */
  dpopAlgs?: readonly DpopAlgorithm[];
  /** Remembers which DPoP proofs were used, for APIs of several processes. Default: in this process. */
  noteProof?: NoteProof;
  /** The address of a request as its client knows it. Default: the origin of the resource, and the path of the request. */
  addressOf?: (request: Request) => string;
  /** How far the clocks may be apart, in seconds. Default: 10. */
  clockTolerance?: number;
  /** Default: the global one. */
  fetch?: OutboundFetch;
  /** The clock, in milliseconds. Default: Date.now. */
  now?: () => number;
  /** Is told when an authorization server does not answer as it should. */
  onFailure?: (failure: FetchFailure) => void;
}

/** An API that takes access tokens. */
export interface ProtectedResource {
  /** What clients can learn about it (RFC 9728). */
  readonly metadata: ResourceMetadata;
  /** Answers the request for its metadata; any other request is left to the API. */
  handle(request: Request): Response | undefined;
  /** Who may do what; or else the answer that refuses the request, with the challenge that says why. */
  require(request: Request, requirements?: AccessRequirements): Promise<VerifiedAccess | Response>;
}

/**
 * Protects an API, on any server that speaks `Request` and `Response`:
 *
 *     const access = await api.require(request, { scope: ["read"] });
 *     if (access instanceof Response) return access;
 */
export function protectedResource(config: ProtectedResourceConfig): ProtectedResource {
  const { resource, now = Date.now } = config;
  checkConfig(config);
  const servers = connectServers(config, now);
  const metadata = describe(config, servers);
  const proofs = {
    now,
    algs: algsOf(config),
    addressOf: config.addressOf ?? addressAt(resource),
    noteProof: config.noteProof ?? createProofMemory(now),
  };

  async function admit(
    request: Request,
    requirements: AccessRequirements,
  ): Promise<VerifiedAccess> {
    const policy = challengePolicyOf(metadata, algsOf(config), requirements);
    const presented = readPresentedToken(request.headers.get("Authorization"), undefined, policy);
    return await withChallenges(policy, presented.scheme, async () => {
      const claims = await readToken(servers, resource, presented.token);
      await checkPossession(proofs, request, presented, claims);
      const access = toVerifiedAccess(claims, presented.token);
      checkScope(access, requirements);
      await withChallenges(
        withSignIn(policy, requirements),
        presented.scheme,
        async () => checkSignIn(access, requirements, now()),
      );
      return access;
    });
  }

  return {
    metadata,
    handle: (request) => metadataResponse(request, metadata),
    require: (request, needs = {}) =>
      admit(request, needs).catch((cause) => errorResponse(toErrorResponse(cause), resource)),
  };
}

function checkConfig({ resource, authorizationServers, dpopAlgs }: ProtectedResourceConfig): void {
  if (!isWebUrl(resource)) {
    throw new TypeError(`The resource '${resource}' is no URL without a fragment.`);
  }
  if (authorizationServers.length === 0) {
    throw new TypeError("The resource needs at least one authorization server.");
  }
  if (dpopAlgs?.length === 0 || dpopAlgs?.some((alg) => !dpopAlgorithms.includes(alg))) {
    throw new TypeError(`The 'dpopAlgs' are some of: ${dpopAlgorithms.join(", ")}.`);
  }
}

function connectServers(
  { authorizationServers, clockTolerance = 10, ...config }: ProtectedResourceConfig,
  now: () => number,
): ConnectedServer[] {
  const outside = {
    now,
    fetch: config.fetch ?? ((url, init) => fetch(url, init)),
    onFailure: config.onFailure ?? (() => {}),
  };
  return authorizationServers.map((server) =>
    typeof server === "string" ? { issuer: server } : server
  )
    .map((server) => connectServer(server, outside, clockTolerance));
}

function algsOf({ dpopAlgs = dpopAlgorithms }: ProtectedResourceConfig): readonly DpopAlgorithm[] {
  return dpopAlgs;
}

function describe(
  config: ProtectedResourceConfig,
  servers: readonly ConnectedServer[],
): ResourceMetadata {
  const { resource, scopes, name, documentation, dpop } = config;
  return {
    resource,
    authorization_servers: servers.map(({ issuer }) => issuer),
    bearer_methods_supported: ["header"],
    ...scopes && { scopes_supported: scopes },
    ...name !== undefined && { resource_name: name },
    ...documentation !== undefined && { resource_documentation: documentation },
    dpop_signing_alg_values_supported: algsOf(config),
    dpop_bound_access_tokens_required: dpop === "required",
  };
}

/** The challenges say where the metadata is, and which scope it takes (RFC 9728, section 5.1; RFC 6750, section 3). */
function challengePolicyOf(
  { resource, dpop_bound_access_tokens_required: bound }: ResourceMetadata,
  algs: readonly string[],
  { scope = [] }: AccessRequirements,
): ChallengePolicy {
  return {
    schemes: bound ? ["DPoP"] : ["Bearer", "DPoP"],
    algs,
    members: {
      ...scope.length > 0 && { scope: formatScope(scope) },
      resource_metadata: metadataUrl(resource),
    },
  };
}

function withSignIn(policy: ChallengePolicy, requirements: AccessRequirements): ChallengePolicy {
  return { ...policy, members: { ...policy.members, ...signInMembers(requirements) } };
}

/** Never by the Host of a request, which anybody can write. */
function addressAt(resource: string): (request: Request) => string {
  const { origin } = new URL(resource);
  return (request) => origin + new URL(request.url).pathname;
}

/** An authorization server that does not answer is no fault of the client, who may try again. */
function toErrorResponse(cause: unknown): OAuthError {
  if (cause instanceof OAuthError) return cause;
  if (!(cause instanceof OutboundError)) throw cause;
  return temporarilyUnavailable(
    "The authorization server cannot be reached; try again in a moment.",
    {
      headers: { "Retry-After": "5" },
      cause,
    },
  );
}
