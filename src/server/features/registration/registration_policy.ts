import { type AllowedValues, type ReportProblem, reportUnlisted } from "../../config/problems.ts";
import type { Settings } from "../../config/settings.ts";
import { isInteractiveGrant } from "../../protocol/grant_types.ts";
import { isObject } from "../../util/text/json.ts";
import { fillDefaults, type WithDefaults } from "../../util/values/members.ts";
import {
  type AllowConfig,
  type RegistrationConfig,
  registrationDefaults,
  registrationServer,
} from "./config.ts";

type FilledRegistration = WithDefaults<RegistrationConfig, typeof registrationDefaults>;

/** Reports where the registration contradicts itself, or names what the server does not have. */
export function checkRegistration(
  own: object,
  settings: Settings,
  report: ReportProblem,
): void {
  const policy = policyOf(own);
  const { allow = {} } = policy;
  const { resources: accepted } = settings;
  checkLeniencies(policy, report);
  checkAllowed(report, "scopes", allow.scopes, {
    among: [...settings.scopes.keys()],
    why: ", which is not a scope of the server",
  });
  if (accepted !== "any") {
    checkAllowed(report, "resources", allow.resources, {
      among: accepted.only.map(({ uri }) => uri),
      why: ", which is not a resource of the server",
    });
  }
  checkGrants(policy, settings, report);
  checkAllowed(report, "authorizationDetailsTypes", allow.authorizationDetailsTypes, {
    among: Object.keys(settings.authorizationDetails),
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
  { grantTypes: supported, openGrants }: Settings,
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

/** Returns who may register clients, and what those may do. */
export function policyOf(settings: object): FilledRegistration {
  const { registration } = registrationServer.of(settings);
  if (registration === "open") return { ...registrationDefaults, open: true };
  return fillDefaults(registrationDefaults, isObject(registration) ? registration : {});
}
