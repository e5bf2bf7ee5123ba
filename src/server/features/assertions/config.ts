import type { JWK } from "jose";
import { settingsPart } from "../../config/feature_config.ts";
import { linkSchemas } from "../../config/link_schemas.ts";
import settings from "./settings.json" with { type: "json" };

/** The issuers whose assertions yield tokens. */
export interface AssertionConfig {
  /** External issuers whose assertions are accepted (RFC 7523, section 2.1). */
  trustedIssuers?: TrustedIssuerConfig[];
  /**
   * Issuers of identities for programs, such as Kubernetes or a CI system, whose tokens yield
   * access tokens without a client and a user.
   */
  workloadIssuers?: WorkloadIssuerConfig[];
}

/** An external issuer, and what its assertions permit. */
export interface TrustedIssuerConfig {
  /** The `iss` of its assertions. */
  issuer: string;
  /** Its public keys. */
  jwks?: { keys: JWK[] };
  /**
   * The URL of its public keys, in place of `jwks`.
   *
   * @format url
   */
  jwksUri?: string;
  /**
   * The clients that may send its assertions.
   *
   * @format client-id
   */
  clients: string[];
  /**
   * The scopes that may be requested with them.
   *
   * @format scope
   * @default the scopes of the client
   */
  scopes?: string[];
  /**
   * The user name for each of its subjects.
   *
   * @default the same name
   */
  users?: Record<string, string>;
  /**
   * Accepts only its ID-JAGs. Set it for an identity provider that signs other JWTs with the same
   * keys, such as ID tokens.
   */
  idJagOnly?: boolean;
  /**
   * The `tenant` of its assertions, if several tenants share the issuer.
   *
   * @default none: ID-JAGs of a tenant are refused
   */
  tenant?: string;
}

/** An issuer of identities for programs: Kubernetes, SPIFFE, a CI system. It names no user. */
export interface WorkloadIssuerConfig {
  /** Its name in the subjects of its workloads: `kubernetes` in `workload:kubernetes:…`. */
  name: string;
  /** The `iss` of its tokens. */
  issuer: string;
  /**
   * The `aud` of its tokens, alone.
   *
   * @default the URL of the token endpoint
   */
  audience?: string;
  /** Its public keys. */
  jwks?: { keys: JWK[] };
  /**
   * The URL of its public keys, in place of `jwks`.
   *
   * @format url
   * @default the `jwks_uri` in its metadata (OpenID Connect Discovery)
   */
  jwksUri?: string;
  /**
   * Whether a token works until it expires, in a day at most, and needs no `jti`. Azure and Google
   * keep their tokens that long, and give them out again. So does a thief.
   */
  reusable?: boolean;
  /**
   * Its workloads, and what they may have. The tokens that a rule let them have end when it is
   * changed or removed.
   */
  workloads: WorkloadRuleConfig[];
}

/** Workloads of an issuer, and the access that they may have. */
export interface WorkloadRuleConfig {
  /**
   * The claims that a token must have, with exactly these values. One must be by which the issuer
   * says who the workload is: `sub`, `repository_id`, `project_id`, or the `namespace` and the name
   * of the `serviceaccount` in `kubernetes.io`.
   */
  claims: Record<string, unknown>;
  /**
   * The resources that tokens may be for.
   *
   * @format audience
   */
  resources: string[];
  /**
   * The scopes that tokens may have.
   *
   * @format scope
   */
  scopes: string[];
}

// The settings refer to those of each issuer.
linkSchemas(settings);

/** The issuers of a server, by their identifiers. */
interface AssertionIssuers {
  trustedIssuers: ReadonlyMap<string, TrustedIssuerConfig>;
  workloadIssuers: ReadonlyMap<string, WorkloadIssuerConfig>;
}

export const assertionIssuers = settingsPart<AssertionIssuers>(settings.AssertionConfig);

/** Reads the issuers of a configuration, as they were given. */
export function readIssuers(config: object): Required<AssertionConfig> {
  const { trustedIssuers = [], workloadIssuers = [] }: AssertionConfig = config;
  return { trustedIssuers, workloadIssuers };
}

/** Returns the issuers of a configuration by their identifiers, and whose clients they name. */
export function issuersOf(
  config: object,
): AssertionIssuers & { assertingIssuers: ReadonlyMap<string, readonly string[]> } {
  const { trustedIssuers, workloadIssuers } = readIssuers(config);
  return {
    assertingIssuers: new Map(trustedIssuers.map(({ issuer, clients }) => [issuer, clients])),
    trustedIssuers: new Map(trustedIssuers.map((each) => [each.issuer, each])),
    workloadIssuers: new Map(workloadIssuers.map((each) => [each.issuer, each])),
  };
}
