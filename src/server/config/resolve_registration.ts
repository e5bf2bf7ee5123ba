import { openIdScopes } from "../model/claims.ts";
import {
  type AllowedAccess,
  type ClientAllowances,
  isInteractiveGrant,
} from "../protocol/client_allowances.ts";
import { isObject } from "../util/text/json.ts";
import { fillDefaults, type WithDefaults } from "../util/values/defaults.ts";
import { acceptedResourcesOf } from "./accepted_resources.ts";
import type { CoreConfig } from "./config.ts";
import { registrationDefaults } from "./config_defaults.ts";
import { type AllowedValues, type ReportProblem, reportUnlisted } from "./problems.ts";
import type { Profile } from "./profiles/profile.ts";
import type { AllowConfig, RegistrationConfig } from "./registration_config.ts";
import type { ServerCapabilities } from "./server_capabilities.ts";
import type { RegistrationSettings } from "./settings.ts";

type FilledRegistration = WithDefaults<RegistrationConfig, typeof registrationDefaults>;

/** Returns who may register clients. */
export function registrationOf(config: CoreConfig): RegistrationSettings {
  const { open, initialAccessToken } = policyOf(config);
  return { open, initialAccessToken };
}

/** Returns what clients may do that are not configured. */
export function allowancesOf(
  config: CoreConfig,
  server: ServerCapabilities,
  openGrants: readonly string[],
): ClientAllowances {
  const { trusted, pkce, assertionAudience, allow = {} } = policyOf(config);
  const access = (allow: AllowConfig, byDefault: Profile["untrustedClients"]) =>
    allowedAccess(fillAllow(allow, byDefault), config, server);
  const untrusted = access(allow, server.profile.untrustedClients);
  const isOpenGrant = (type: string) => isInteractiveGrant(type) || openGrants.includes(type);
  return {
    trusted,
    pkce,
    assertionAudience,
    access: {
      trusted: access({}, "everything"),
      admitted: access(allow, "everything"),
      // Otherwise anyone would get tokens without any user's consent.
      untrusted: { ...untrusted, grantTypes: allow.grantTypes?.filter(isOpenGrant) },
    },
  };
}

/** Reports where the registration contradicts itself, or names what the server does not have. */
export function checkRegistration(
  config: CoreConfig,
  server: ServerCapabilities,
  openGrants: readonly string[],
  report: ReportProblem,
): void {
  const policy = policyOf(config);
  const accepted = acceptedResourcesOf(config);
  const { allow = {} } = policy;
  checkLeniencies(policy, report);
  checkAllowed(report, "scopes", allow.scopes, {
    among: server.scopes,
    why: ", which is not a scope of the server",
  });
  if (accepted !== "any") {
    checkAllowed(report, "resources", allow.resources, {
      among: accepted.only.map(({ uri }) => uri),
      why: ", which is not a resource of the server",
    });
  }
  checkGrants(policy, server, openGrants, report);
  checkAllowed(report, "authorizationDetailsTypes", allow.authorizationDetailsTypes, {
    among: server.authorizationDetailsTypes,
    why: ", which is not a type of authorization details of the server",
  });
}

/**
 * Only the initial access token earns a leniency: it shows that the operator lets the client in.
 */
function checkLeniencies(policy: FilledRegistration, report: ReportProblem): void {
  const { open, initialAccessToken, trusted, pkce, assertionAudience } = policy;
  if (open && initialAccessToken !== undefined) {
    report("registration.open", "cannot be combined with initialAccessToken");
  }
  if (initialAccessToken !== undefined) return;
  const leniencies = {
    trusted,
    pkce: pkce === "optional",
    assertionAudience: assertionAudience === "token-endpoint",
  };
  for (const [member, isOn] of Object.entries(leniencies)) {
    if (!isOn) continue;
    report(
      `registration.${member}`,
      "needs initialAccessToken, which shows that you let the client in",
    );
  }
}

/** Only the initial access token earns a grant in which no user is asked. */
function checkGrants(
  { initialAccessToken, allow = {} }: FilledRegistration,
  { grantTypes: supported }: ServerCapabilities,
  openGrants: readonly string[],
  report: ReportProblem,
): void {
  checkAllowed(report, "grantTypes", allow.grantTypes, {
    among: supported,
    why: ", which is not among the server's grantTypes",
  });
  if (initialAccessToken !== undefined) return;
  const known = (allow.grantTypes ?? []).filter((type) => supported.includes(type));
  checkAllowed(report, "grantTypes", known, {
    among: supported.filter((type) => isInteractiveGrant(type) || openGrants.includes(type)),
    why: ", which needs initialAccessToken: it asks no user",
  });
}

function checkAllowed(
  report: ReportProblem,
  member: keyof AllowConfig,
  listed: readonly string[] | "any" = [],
  allowed: AllowedValues,
): void {
  if (listed === "any") return;
  reportUnlisted(report, `registration.allow.${member}`, listed, allowed);
}

function policyOf({ registration }: Pick<CoreConfig, "registration">): FilledRegistration {
  if (registration === "open") return { ...registrationDefaults, open: true };
  return fillDefaults(registrationDefaults, isObject(registration) ? registration : {});
}

function fillAllow(allow: AllowConfig, byDefault: Profile["untrustedClients"]): AllowConfig {
  if (byDefault === "standard scopes") return allow;
  const everything = { scopes: "any", resources: "any", authorizationDetailsTypes: "any" } as const;
  return fillDefaults<AllowConfig, typeof everything>(everything, allow);
}

function allowedAccess(
  allow: AllowConfig,
  { issuer, defaultResource = issuer }: CoreConfig,
  server: ServerCapabilities,
): AllowedAccess {
  const standardScopes = server.scopes.filter((scope) => Object.hasOwn(openIdScopes, scope));
  const { scopes = standardScopes, resources = [], authorizationDetailsTypes = [] } = allow;
  return {
    scopes: scopes === "any" ? server.scopes : scopes,
    // A token that names no resource is for the default one, and with `openid` for the issuer.
    resources: resources === "any" ? "any" : [...new Set([defaultResource, issuer, ...resources])],
    authorizationDetailsTypes: authorizationDetailsTypes === "any"
      ? server.authorizationDetailsTypes
      : authorizationDetailsTypes,
    grantTypes: allow.grantTypes,
  };
}
