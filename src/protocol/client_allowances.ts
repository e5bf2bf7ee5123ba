import { type Client, isPublic } from "../model/client.ts";
import type { TrustLevel } from "./client_trust.ts";
import { deviceCodeGrant } from "./device_request.ts";

/** What unconfigured clients may do, by how far the operator answers for them. */
export interface ClientAllowances {
  /** Leniencies for clients that registered with an initial access token. */
  trusted: boolean;
  pkce: Client["pkce"];
  assertionAudience: Client["assertionAudience"];
  access: Readonly<Record<TrustLevel, AllowedAccess>>;
}

/** What clients may ask for. */
export interface AllowedAccess {
  scopes: readonly string[];
  resources: readonly string[] | "any";
  authorizationDetailsTypes: readonly string[];
}

/**
 * In these grants a person is asked. With any other, an untrusted client would get tokens without
 * anyone's consent.
 */
const grantsWithPerson = ["authorization_code", "refresh_token", deviceCodeGrant];

/**
 * How far the operator answers for a client that registered, by what it showed then and what the
 * settings say now.
 */
export function levelOf(
  initialAccess: boolean,
  { trusted }: Pick<ClientAllowances, "trusted">,
): TrustLevel {
  if (!initialAccess) return "untrusted";
  return trusted ? "trusted" : "admitted";
}

/** The grants that a client may register for, out of those of the server. */
export function allowedGrants(level: TrustLevel, offered: readonly string[]): string[] {
  return offered.filter((type) => level !== "untrusted" || grantsWithPerson.includes(type));
}

/**
 * Takes from a client what the settings no longer allow it. It never adds anything: a client that
 * registered under stricter settings stays as strict until it registers anew.
 */
export function confineClient<C extends Client>(
  client: C,
  level: TrustLevel,
  allowances: ClientAllowances,
): C {
  const { scopes, resources, authorizationDetailsTypes } = allowances.access[level];
  const within = (some: readonly string[], allowed: readonly string[]) =>
    some.filter((each) => allowed.includes(each));
  const isLenient = level !== "untrusted";
  return {
    ...client,
    trusted: client.trusted && level === "trusted",
    pkce: isLenient && allowances.pkce === "optional" && !isPublic(client)
      ? client.pkce
      : "required",
    assertionAudience: isLenient && allowances.assertionAudience === "token-endpoint"
      ? client.assertionAudience
      : "issuer",
    grantTypes: allowedGrants(level, client.grantTypes),
    scopes: within(client.scopes, scopes),
    defaultScope: within(client.defaultScope, scopes),
    allowedResources: resources === "any" ? undefined : [...resources],
    authorizationDetailsTypes: within(client.authorizationDetailsTypes, authorizationDetailsTypes),
  };
}
