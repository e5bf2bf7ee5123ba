import type { SigningAlgorithm } from "../model/signing.ts";
import type {
  AuthorizationDetailFields,
  AuthorizationDetailTypes,
} from "../protocol/authorization_detail_types.ts";
import { checkResource, uriOf } from "./accepted_resources.ts";
import { checkAddresses } from "./addresses.ts";
import { checkClient } from "./check_client.ts";
import type { CoreConfig } from "./config.ts";
import type { FilledConfig } from "./config_data.ts";
import { checkPaths } from "./endpoint_paths.ts";
import type { AddedSettings } from "./feature_config.ts";
import { type Offer, offerToConfigured } from "./offer.ts";
import { defaultPolicies } from "./policies.ts";
import {
  collectProblems,
  reportBelow,
  reportDuplicates,
  type ReportProblem,
  reportUnlisted,
} from "./problems.ts";
import { checkRules, type Profile } from "./profiles/profile.ts";
import { checkValue, type ObjectSchema } from "./schema.ts";
import { checkRotation, checkSigningKeys } from "./signing_key_config.ts";
import { withoutTestSettings } from "./test_settings.ts";
import { checkGroups, checkUser } from "./user_config.ts";

/** What the features of a server have, independent of its configuration. */
export interface ImplementedFeatures {
  grants: readonly string[];
  added: AddedSettings;
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

/** A configuration, and what it must agree with. */
export interface CheckableConfig {
  config: FilledConfig;
  profile: Profile;
  offer: Offer;
  implemented: ImplementedParts;
}

/** A configuration that is being checked. */
export interface ConfigUnderCheck extends CheckableConfig {
  report: ReportProblem;
}

/**
 * Checks each setting of a configuration by itself, and returns it without those for tests. Throws a
 * `ConfigError` with every setting that is malformed.
 */
export function checkShape(config: CoreConfig, schema: ObjectSchema): CoreConfig {
  const { report, throwAny } = collectProblems();
  const given = withoutTestSettings(config, schema, report);
  checkValue(schema, given, "", report);
  throwAny("start the server");
  return given;
}

/** Reports where settings contradict each other. Each of them agrees with its schema. */
export function checkConfig(checked: ConfigUnderCheck): void {
  const { config, profile, offer, implemented, report } = checked;
  checkAddresses(config, report);
  checkRules(profile, profile.serverRules, config, report);
  reportUnlisted(report, "grantTypes", offer.grantTypes, {
    among: implemented.grants,
    why: `; known grant types: ${implemented.grants.join(", ")}`,
  });
  reportUnlisted(report, "defaultScope", offer.defaultScope, {
    among: offer.scopes,
    why: ", which is not a scope of the server",
  });
  if (config.requirePar && !offer.endpoints.includes("par")) {
    report("requirePar", "needs the endpoint 'par', which this server does not have");
  }
  checkRotation(config, report);
  checkAuthorizationDetails(config.authorizationDetails, report);
  if (config.paths) checkPaths(config.paths, implemented, report);
  checkSigningKeys(config.signingKeys, profile, report);
  checkResources(checked);
  checkClients(checked);
  checkUsers(checked);
  checkRelations(checked);
}

/** Reports where clients and users, or the settings of features, contradict each other. */
export function checkRelations({ config, offer, implemented, report }: ConfigUnderCheck): void {
  checkSubjects(config, report);
  checkUserNames(config, report);
  for (const { check } of implemented.added.server.parts) check?.(config, offer, report);
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

function checkResources(checked: ConfigUnderCheck): void {
  const { config: { resources = [] }, report } = checked;
  const entries = entriesOf("resources", resources === "any" ? [] : resources);
  reportDuplicates(report, "resources", entries.map(({ value }) => uriOf(value)));
  for (const { value, path } of entries) {
    checkResource(value, checked.offer, reportBelow(path, report));
  }
}

function checkClients(checked: ConfigUnderCheck): void {
  const { config, implemented, report } = checked;
  const offer = offerToConfigured(checked.offer, implemented);
  const clients = entriesOf("clients", config.clients);
  reportDuplicates(report, "clients", clients.map(({ value }) => value.id));
  for (const { value, path } of clients) {
    checkClient(value, offer, reportBelow(path, report));
  }
}

function checkUsers(checked: ConfigUnderCheck): void {
  const { config, report } = checked;
  const { passwords = defaultPolicies.passwords } = config.policies ?? {};
  const users = entriesOf("users", config.users);
  reportDuplicates(report, "users", users.map(({ value }) => value.name));
  for (const { value, path } of users) {
    checkUser(value, passwords, reportBelow(path, report));
    if (checked.offer.ownGroups) checkGroups(value.claims, reportBelow(path, report));
  }
}

/** An application that knows users by that claim would take one for the other. */
function checkUserNames({ users }: FilledConfig, report: ReportProblem): void {
  const names = new Set(users.map(({ name }) => name));
  for (const { name, claims: { preferred_username: other } = {} } of users) {
    if (typeof other !== "string" || other === name || !names.has(other)) continue;
    report("users", `contains '${name}' with the preferred_username of the user '${other}'`);
  }
}

/**
 * In a token, a user is a `sub`, and so is a client that acts for itself (RFC 9700, section 4.15).
 */
function checkSubjects({ users, clients }: FilledConfig, report: ReportProblem): void {
  const byName = new Map(users.map(({ name, sub = name }) => [name, sub]));
  const subjects = [...byName.values()];
  reportDuplicates(report, "the 'sub' of users", subjects);
  const taken = new Set(subjects);
  for (const { id } of clients.filter(({ id }) => taken.has(id))) {
    report("clients", `contains '${id}', which is also the 'sub' of a user`);
  }
}

/** Returns the entries of a list, with their places. */
function entriesOf<T>(name: string, list: readonly T[]): Array<{ value: T; path: string }> {
  return list.map((value, at) => ({ value, path: `${name}[${at}]` }));
}
