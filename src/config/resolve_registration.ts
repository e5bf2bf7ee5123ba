import type { AllowedAccess, ClientAllowances } from "../protocol/client_allowances.ts";
import { isObject } from "../util/json.ts";
import { openIdScopes } from "./openid_scopes.ts";
import { reportBeyond } from "./problems.ts";
import type { Profile } from "./profiles/profile.ts";
import type {
  AllowConfig,
  RegistrationConfig,
  RegistrationPolicy,
  RegistrationSettings,
} from "./registration_config.ts";
import { type ResourceConfig, resourceRule } from "./resource_config.ts";
import type { ServerCapabilities } from "./server_capabilities.ts";
import type { ReportProblem } from "./shape.ts";

/** The members of a configuration that bear on unconfigured clients. */
interface Registering {
  issuer: string;
  defaultResource?: string;
  resources?: ReadonlyArray<string | ResourceConfig> | "any";
  registration?: RegistrationPolicy;
}

/** Who may register clients. */
export function registrationOf(
  { registration }: Pick<Registering, "registration">,
): RegistrationSettings {
  const { open = false, initialAccessToken } = policyOf(registration);
  return { open, initialAccessToken };
}

/** What unconfigured clients may do. */
export function allowancesOf(
  config: Registering,
  capabilities: ServerCapabilities,
): ClientAllowances {
  const { trusted = false, pkce = "required", assertionAudience = "issuer", allow = {} } = policyOf(
    config.registration,
  );
  const access = (allow: AllowConfig, byDefault: Profile["untrustedClients"]) =>
    allowedAccess(fill(allow, byDefault), config, capabilities);
  return {
    trusted,
    pkce,
    assertionAudience,
    access: {
      trusted: access({}, "everything"),
      admitted: access(allow, "everything"),
      untrusted: access(allow, capabilities.profile.untrustedClients),
    },
  };
}

/** Reports what contradicts itself, or names what the server does not have. */
export function checkRegistration(
  config: Registering,
  capabilities: ServerCapabilities,
  report: ReportProblem,
): void {
  const policy = policyOf(config.registration);
  checkLeniencies(policy, report);
  const rule = resourceRule(config);
  const resources = rule === "any" ? "any" : rule.only.map(({ uri }) => uri);
  const { allow = {} } = policy;
  checkAllowed(report, "scopes", allow.scopes, {
    among: capabilities.scopes,
    why: ", which is no scope of the server",
  });
  checkAllowed(report, "resources", allow.resources, {
    among: resources,
    why: ", which is no resource of the server",
  });
  checkAllowed(report, "authorizationDetailsTypes", allow.authorizationDetailsTypes, {
    among: capabilities.detailTypes,
    why: ", which is no type of authorization details of the server",
  });
}

/** Only the initial access token earns a leniency: it shows that the operator lets the client in. */
function checkLeniencies(
  { open, initialAccessToken, trusted, pkce, assertionAudience }: RegistrationConfig,
  report: ReportProblem,
): void {
  if (open && initialAccessToken !== undefined) {
    report("registration.open", "excludes 'initialAccessToken'; give one of them");
  }
  if (initialAccessToken !== undefined) return;
  const leniencies = {
    trusted,
    pkce: pkce === "optional",
    assertionAudience: assertionAudience === "token-endpoint",
  };
  for (const [member, isOn] of Object.entries(leniencies)) {
    if (isOn) {
      report(
        `registration.${member}`,
        "needs 'initialAccessToken', by which the operator lets a client in",
      );
    }
  }
}

/** What a list of `allow` is held against; the server may have "any" resource. */
interface AllowedBound {
  among: readonly string[] | "any";
  why: string;
}

function checkAllowed(
  report: ReportProblem,
  member: keyof AllowConfig,
  listed: readonly string[] | "any" = [],
  { among, why }: AllowedBound,
): void {
  if (listed !== "any" && among !== "any") {
    reportBeyond(report, `registration.allow.${member}`, listed, { among, why });
  }
}

function policyOf(registration: RegistrationPolicy | undefined): RegistrationConfig {
  if (registration === "open") return { open: true };
  return isObject(registration) ? registration : {};
}

function fill(
  { scopes, resources, authorizationDetailsTypes }: AllowConfig,
  byDefault: Profile["untrustedClients"],
): AllowConfig {
  const unnamed = byDefault === "everything" ? "any" : undefined;
  return {
    scopes: scopes ?? unnamed,
    resources: resources ?? unnamed,
    authorizationDetailsTypes: authorizationDetailsTypes ?? unnamed,
  };
}

function allowedAccess(
  allow: AllowConfig,
  { issuer, defaultResource = issuer }: Registering,
  capabilities: ServerCapabilities,
): AllowedAccess {
  const { scopes, resources = [], authorizationDetailsTypes = [] } = allow;
  const standardScopes = capabilities.scopes.filter((scope) => Object.hasOwn(openIdScopes, scope));
  return {
    scopes: scopes === "any" ? capabilities.scopes : scopes ?? standardScopes,
    // A token that names no resource is for the default one, and with `openid` for the issuer.
    resources: resources === "any" ? "any" : [...new Set([defaultResource, issuer, ...resources])],
    authorizationDetailsTypes: authorizationDetailsTypes === "any"
      ? capabilities.detailTypes
      : authorizationDetailsTypes,
  };
}
