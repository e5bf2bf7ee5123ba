import { isInteractiveGrant } from "../protocol/grant_types.ts";
import { isObject } from "../util/text/json.ts";
import { fillDefaults, type WithDefaults } from "../util/values/defaults.ts";
import { acceptedResourcesOf } from "./accepted_resources.ts";
import type { CoreConfig } from "./config.ts";
import { registrationDefaults } from "./config_defaults.ts";
import type { Offer } from "./offer.ts";
import { type AllowedValues, type ReportProblem, reportUnlisted } from "./problems.ts";
import type { AllowConfig, RegistrationConfig } from "./registration_config.ts";
import type { RegistrationSettings } from "./settings.ts";

type FilledRegistration = WithDefaults<RegistrationConfig, typeof registrationDefaults>;

/** Returns who may register clients. */
export function registrationOf(config: CoreConfig): RegistrationSettings {
  const { open, initialAccessToken, trusted } = policyOf(config);
  return { open, initialAccessToken, trusted };
}

/** Reports where the registration contradicts itself, or names what the server does not have. */
export function checkRegistration(
  config: CoreConfig,
  server: Offer,
  openGrants: readonly string[],
  report: ReportProblem,
): void {
  const policy = policyOf(config);
  const accepted = acceptedResourcesOf(config);
  const { allow = {} } = policy;
  checkLeniencies(policy, server, report);
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
function checkLeniencies(
  policy: FilledRegistration,
  { endpoints }: Offer,
  report: ReportProblem,
): void {
  const { open, initialAccessToken, trusted, pkce, assertionAudience } = policy;
  if ((open || initialAccessToken !== undefined) && !endpoints.includes("register")) {
    report("registration", "needs the endpoint 'register', which this server does not have");
  }
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
  { grantTypes: supported }: Offer,
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

/** Returns the setting, with its defaults. */
export function policyOf({ registration }: Pick<CoreConfig, "registration">): FilledRegistration {
  if (registration === "open") return { ...registrationDefaults, open: true };
  return fillDefaults(registrationDefaults, isObject(registration) ? registration : {});
}
