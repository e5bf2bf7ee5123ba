import type { SigningAlgorithm } from "../model/signing.ts";
import { phishingResistant } from "../protocol/acr.ts";
import type {
  AuthorizationDetailFields,
  AuthorizationDetailTypes,
} from "../protocol/authorization_detail_types.ts";
import { checkResource, uriOf } from "./accepted_resources.ts";
import { checkAddresses } from "./addresses.ts";
import { checkClient } from "./check_client.ts";
import type { CoreConfig } from "./config.ts";
import { checkPaths } from "./endpoint_paths.ts";
import type { FeatureConfig } from "./feature_config.ts";
import { defaultPolicies } from "./policies.ts";
import { reportBelow, reportDuplicates, type ReportProblem, reportUnlisted } from "./problems.ts";
import { checkRules } from "./profiles/profile.ts";
import type { ObjectSchema } from "./schema.ts";
import { offerToConfigured, type Settings } from "./settings.ts";
import { checkRotation, checkSigningKeys } from "./signing_key_config.ts";
import { checkGroups, checkUser } from "./user_config.ts";

/** What the features of a server have, independent of its configuration. */
export interface ImplementedFeatures {
  grants: readonly string[];
  /** What each feature adds to the configuration. */
  configs: readonly FeatureConfig[];
  /** The schema of a configuration, with these settings. */
  schema: ObjectSchema;
}

/** What the wrapper of a server decides about its configuration. */
export interface WrapperSettings {
  /** Whether configured clients may have http redirect URIs on any host. */
  httpClients: boolean;
  /** The grants without a user that clients of open registration may have, if they are listed. */
  openGrants?: readonly string[] | undefined;
  /** The algorithm of ID tokens for clients that name none; it overrides the default. */
  idTokenAlg?: SigningAlgorithm | undefined;
}

/** What the code of the server has, independent of its configuration. */
export interface ImplementedParts extends ImplementedFeatures, WrapperSettings {
  /** The paths of routes that are always where they are; a segment may be a placeholder. */
  paths: readonly string[];
}

/**
 * Reports where settings contradict each other. Each of them agrees with its schema. What is about
 * the form in which they were `given` reads that; everything else reads what the server has.
 */
export function checkSettings(
  given: CoreConfig,
  settings: Settings,
  implemented: ImplementedParts,
  report: ReportProblem,
): void {
  const { profile } = settings;
  const scopes = [...settings.scopes.keys()];
  checkAddresses(given, report);
  checkRules(profile, profile.serverRules, given, report);
  reportUnlisted(report, "grantTypes", settings.grantTypes, {
    among: implemented.grants,
    why: `; known grant types: ${implemented.grants.join(", ")}`,
  });
  reportUnlisted(report, "defaultScope", settings.defaultScope, {
    among: scopes,
    why: ", which is not a scope of the server",
  });
  if (settings.requirePar && !Object.hasOwn(settings.paths, "par")) {
    report("requirePar", "needs the endpoint 'par', which this server does not have");
  }
  checkAcrValues(settings, report);
  checkRotation(settings.keyRotation, report);
  checkAuthorizationDetails(settings.authorizationDetails, report);
  if (given.paths) checkPaths(given.paths, settings.paths, implemented.paths, report);
  checkSigningKeys(settings.signingKeys, profile, report);
  checkResources(given.resources, settings, report);
  checkClients(settings, report);
  checkUsers(settings, report);
  checkRelations(given, settings, implemented.configs, report);
}

/** Reports where clients and users, or the settings of features, contradict each other. */
export function checkRelations(
  given: object,
  settings: Settings,
  features: readonly FeatureConfig[],
  report: ReportProblem,
): void {
  checkSubjects(settings, report);
  checkUserNames(settings, report);
  for (const { server } of features) server?.check?.(server.of(given), settings, report);
}

/** A password is at least as strong as the first value, and resists no phishing. */
function checkAcrValues(
  { acrValues, passkeyDemand, policies }: Settings,
  report: ReportProblem,
): void {
  if (acrValues[0] !== phishingResistant || passkeyDemand === "all") return;
  if (policies.authenticate !== defaultPolicies.authenticate) return;
  report(
    "acrValues",
    "begins with 'phr', which no sign-in by password is; begin with a weaker one",
  );
}

/** Reports members that no request can have: the server would refuse every request. */
function checkAuthorizationDetails(types: AuthorizationDetailTypes, report: ReportProblem): void {
  for (const [name, { members }] of Object.entries(types)) {
    const path = `authorizationDetails.${name}.members`;
    for (const reserved of ["type", "type?"].filter((each) => Object.hasOwn(members, each))) {
      report(`${path}.${reserved}`, "is the member that names the type; remove it");
    }
    checkNested(members, path, report);
  }
}

function checkNested(
  members: AuthorizationDetailFields,
  path: string,
  report: ReportProblem,
): void {
  for (const [name, kind] of Object.entries(members)) {
    if (typeof kind === "string") continue;
    const at = `${path}.${name}`;
    if (Object.keys(kind).length > 0) checkNested(kind, at, report);
    else report(at, "must name the members of the object, such as { value: number }");
  }
}

function checkResources(
  resources: CoreConfig["resources"] = [],
  settings: Settings,
  report: ReportProblem,
): void {
  const entries = entriesOf("resources", resources === "any" ? [] : resources);
  reportDuplicates(report, "resources", entries.map(({ value }) => uriOf(value)));
  for (const { value, path } of entries) checkResource(value, settings, reportBelow(path, report));
}

function checkClients(settings: Settings, report: ReportProblem): void {
  const entries = entriesOf("clients", settings.clients.list());
  reportDuplicates(report, "clients", entries.map(({ value }) => value.id));
  for (const { value, path } of entries) {
    checkClient(value, offerToConfigured(settings), reportBelow(path, report));
  }
}

function checkUsers({ users, ownGroups, policies }: Settings, report: ReportProblem): void {
  const entries = entriesOf("users", users.list());
  reportDuplicates(report, "users", entries.map(({ value }) => value.name));
  for (const { value, path } of entries) {
    checkUser(value, policies.passwords, reportBelow(path, report));
    if (ownGroups) checkGroups(value.claims, reportBelow(path, report));
  }
}

/** An application that knows users by that claim would take one for the other. */
function checkUserNames({ users }: Settings, report: ReportProblem): void {
  const names = new Set(users.list().map(({ name }) => name));
  for (const { name, claims: { preferred_username: other } = {} } of users.list()) {
    if (typeof other !== "string" || other === name || !names.has(other)) continue;
    report("users", `contains '${name}' with the preferred_username of the user '${other}'`);
  }
}

/**
 * In a token, a user is a `sub`, and so is a client that acts for itself (RFC 9700, section 4.15).
 */
function checkSubjects({ users, clients }: Settings, report: ReportProblem): void {
  const byName = new Map(users.list().map(({ name, sub = name }) => [name, sub]));
  const subjects = [...byName.values()];
  reportDuplicates(report, "the 'sub' of users", subjects);
  const taken = new Set(subjects);
  for (const { id } of clients.list().filter(({ id }) => taken.has(id))) {
    report("clients", `contains '${id}', which is also the 'sub' of a user`);
  }
}

/** Returns the entries of a list, with their places. */
function entriesOf<T>(name: string, list: readonly T[]): Array<{ value: T; path: string }> {
  return list.map((value, at) => ({ value, path: `${name}[${at}]` }));
}
