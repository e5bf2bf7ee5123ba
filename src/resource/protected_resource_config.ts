import type { OutboundFetch } from "../server/http/outbound_fetch.ts";
import { type DpopAlgorithm, dpopAlgorithms } from "../server/protocol/dpop_proof.ts";
import { isWebUrl } from "../server/util/addresses/uri.ts";
import type { AuthorizationServerConfig } from "./authorization_server.ts";
import type { FetchFailure } from "./outbound_client.ts";
import type { CertificateOf, NoteProof } from "./possession.ts";
import type { ImpliedScopes } from "./verified_access.ts";

/** The configuration of an API. */
export interface ProtectedResourceConfig {
  /** The identifier of the API, a URL without a fragment. Its tokens have it as `aud`. */
  resource: string;
  /** The servers whose tokens the API accepts. An issuer is enough if its tokens are JWTs. */
  authorizationServers: ReadonlyArray<string | AuthorizationServerConfig>;
  /** The scopes that clients may need, for the metadata. */
  scopes?: string[];
  /**
   * The scopes that a client should request first. The challenge names them if a request needs no
   * particular scope.
   *
   * @default none
   */
  initialScope?: readonly string[];
  /**
   * Broader scopes, and the narrower ones that each implies: with `{ write: ["read"] }`, a token
   * with `write` may do what requires `read`. What is implied may imply others. Challenges name no
   * scope that another one of them implies.
   *
   * @default {}
   */
  impliedScopes?: ImpliedScopes;
  /**
   * Whether the metadata is at `/.well-known/oauth-protected-resource` as well. Clients of the
   * Model Context Protocol look there if nothing is below the path of the API. Only one API of a
   * host can have that place.
   */
  metadataAtRoot?: boolean;
  /** The name of the API for users, for the metadata. */
  name?: string;
  /** The URL of its documentation for developers (`resource_documentation`). */
  documentation?: string;
  /**
   * The `typ` of JWT access tokens. `"JWT"` accepts both types: `JWT`, and `at+jwt` as RFC 9068
   * requires.
   *
   * @default "at+jwt"
   */
  tokenType?: "at+jwt" | "JWT";
  /**
   * Whether tokens must be bound to a key (RFC 9449).
   *
   * @default "optional"
   */
  dpop?: "required" | "optional";
  /**
   * The algorithms of DPoP proofs.
   *
   * @default ES256, PS256, EdDSA, Ed25519, RS256
   */
  dpopAlgs?: readonly DpopAlgorithm[];
  /**
   * Records used DPoP proofs for an API with several processes.
   *
   * @default a memory in this process
   */
  noteProof?: NoteProof;
  /**
   * Returns the certificate in DER that the sender of a request proved, for tokens that are bound
   * to one (RFC 8705). A proxy's header is to be trusted from that proxy alone.
   *
   * @default none: such tokens are refused
   */
  certificateOf?: CertificateOf;
  /**
   * Returns the URL of a request as its client knows it.
   *
   * @default the origin of the resource and the path of the request
   */
  urlOf?: (request: Request) => string;
  /**
   * How far the clocks may be apart, in seconds.
   *
   * @default 10
   */
  clockTolerance?: number;
  /**
   * Fetches from the authorization servers.
   *
   * @default the global `fetch`
   */
  fetch?: OutboundFetch;
  /**
   * Returns the time in milliseconds.
   *
   * @default `Date.now`
   */
  now?: () => number;
  /** Is called when a request to an authorization server fails. */
  onFailure?: (failure: FetchFailure) => void;
}

/** Throws a `TypeError` if an API cannot be protected with a configuration. */
export function checkResourceConfig(
  { resource, authorizationServers, dpopAlgs }: ProtectedResourceConfig,
): void {
  if (!isWebUrl(resource)) {
    throw new TypeError(`The resource '${resource}' is not a URL without a fragment.`);
  }
  if (authorizationServers.length === 0) {
    throw new TypeError("The resource needs at least one authorization server.");
  }
  if (dpopAlgs?.length === 0 || dpopAlgs?.some((alg) => !dpopAlgorithms.includes(alg))) {
    throw new TypeError(`The 'dpopAlgs' must be some of: ${dpopAlgorithms.join(", ")}.`);
  }
}
