import { type Client, isPublic } from "../model/client.ts";
import type { TrustLevel } from "./client_trust.ts";
import { deviceCodeGrantType } from "./grant_types.ts";

/**
 * The grants in which the user is asked. With any other, an untrusted client would get tokens
 * without anyone's consent.
 */
const interactiveGrants = ["authorization_code", "refresh_token", deviceCodeGrantType];

/** What clients that are not configured may do. */
export interface ClientAllowances {
  /** Whether a client that registered with an initial access token is trusted. */
  trusted: boolean;
  pkce: Client["pkce"];
  assertionAudience: Client["assertionAudience"];
  access: Readonly<Record<TrustLevel, AllowedAccess>>;
}

/** What clients of one trust level may request. */
export interface AllowedAccess {
  scopes: readonly string[];
  resources: readonly string[] | "any";
  authorizationDetailsTypes: readonly string[];
  /** Undefined where the settings list none: then the trust level decides. */
  grantTypes?: readonly string[] | undefined;
}

/** Returns the trust in a client that registered with or without an initial access token. */
export function registrationTrust(
  initialAccess: boolean,
  { trusted }: Pick<ClientAllowances, "trusted">,
): TrustLevel {
  if (!initialAccess) return "untrusted";
  return trusted ? "trusted" : "admitted";
}

/** Whether the user is asked in a grant. */
export function isInteractiveGrant(type: string): boolean {
  return interactiveGrants.includes(type);
}

/** Returns the grants of the server for which a client may register. */
export function allowedGrants(
  level: TrustLevel,
  supported: readonly string[],
  listed?: readonly string[],
): string[] {
  if (listed) return intersect(supported, listed);
  return supported.filter((type) => level !== "untrusted" || isInteractiveGrant(type));
}

/**
 * Removes what the settings no longer allow a client. It never adds anything: a client that
 * registered under stricter settings stays as strict until it registers again.
 */
export function confineClient<C extends Client>(
  client: C,
  level: TrustLevel,
  allowances: ClientAllowances,
): C {
  const { scopes, resources, authorizationDetailsTypes, grantTypes } = allowances.access[level];
  const isLenient = level !== "untrusted";
  const mayOmitPkce = isLenient && allowances.pkce === "optional" && !isPublic(client);
  const mayNameTokenEndpoint = isLenient && allowances.assertionAudience === "token-endpoint";
  return {
    ...client,
    trusted: client.trusted && level === "trusted",
    pkce: mayOmitPkce ? client.pkce : "required",
    assertionAudience: mayNameTokenEndpoint ? client.assertionAudience : "issuer",
    grantTypes: allowedGrants(level, client.grantTypes, grantTypes),
    scopes: intersect(client.scopes, scopes),
    defaultScope: intersect(client.defaultScope, scopes),
    allowedResources: resources === "any" ? undefined : [...resources],
    authorizationDetailsTypes: intersect(
      client.authorizationDetailsTypes,
      authorizationDetailsTypes,
    ),
  };
}

function intersect(values: readonly string[], allowed: readonly string[]): string[] {
  return values.filter((value) => allowed.includes(value));
}
