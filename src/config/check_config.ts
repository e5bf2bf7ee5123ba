import { checkAddresses } from "./addresses.ts";
import { checkClient } from "./check_client.ts";
import type { Config } from "./config.ts";
import { defaultPolicies } from "./defaults.ts";
import { checkRotation } from "./key_rotation.ts";
import type { Offered } from "./offered.ts";
import { offeredIn } from "./offered.ts";
import { reportBeyond, reportDuplicates } from "./problems.ts";
import type { Profile } from "./profiles/profile.ts";
import { checkRules } from "./profiles/profile.ts";
import { checkRegistration } from "./resolve_registration.ts";
import { checkResource, uriOf } from "./resource_config.ts";
import type { Report } from "./shape.ts";
import { checkTrustedIssuers } from "./trusted_issuers.ts";
import { checkUser } from "./user_config.ts";

/** A configuration under examination. */
export interface Examined {
  config: Config;
  profile: Profile;
  /** Every grant that there is. */
  grantTypes: readonly string[];
  /** Whether what stands at a path has the right shape. */
  isSound: (path: string) => boolean;
  report: Report;
}

/** Checks what members say against each other, as far as each of them has the right shape. */
export function checkConfig(examined: Examined): void {
  const { config, profile, grantTypes, isSound, report } = examined;
  const offered = offeredIn(config, profile, isSound);
  checkAddresses(config, isSound, report);
  if (config.clientMetadataDocuments && !config.fetchUntrusted) {
    report("clientMetadataDocuments", "needs fetchUntrusted, a safe way to fetch the documents; hallpass/serve has guardedFetch()");
  }
  checkRules(profile, profile.serverRules.filter(({ path }) => isSound(path)), config, report);
  reportBeyond(report, "grantTypes", offered.grantTypes, { among: grantTypes, why: `; known are: ${grantTypes.join(", ")}` });
  if (isSound("keyRotation") && isSound("keyOverlap")) checkRotation(config, report);
  if (["registration", "scopes", "resources", "authorizationDetails"].every(isSound)) checkRegistration(config, offered, report);
  checkIssuers(examined, offered);
  checkResources(examined, offered);
  checkParties(examined, offered);
}

function checkIssuers({ config, isSound, report }: Examined, offered: Offered): void {
  const issuers = soundOnes("trustedIssuers", config.trustedIssuers, isSound);
  reportDuplicates(report, "trustedIssuers", issuers.map(({ value }) => value.issuer));
  checkTrustedIssuers(config, issuers, offered, report);
}

function checkResources({ config, isSound, report }: Examined, offered: Offered): void {
  const resources = soundOnes("resources", config.resources === "any" ? [] : config.resources, isSound);
  reportDuplicates(report, "resources", resources.map(({ value }) => uriOf(value)));
  for (const { value, path } of resources) checkResource(value, offered, below(path, report));
}

/** Clients and users: in a token, a client that acts for itself and a person are both a `sub` (RFC 9700, section 4.15). */
function checkParties({ config, isSound, report }: Examined, offered: Offered): void {
  const passwords = config.policies?.passwords ?? defaultPolicies.passwords;
  const clients = soundOnes("clients", config.clients, isSound);
  const users = soundOnes("users", config.users, isSound);
  const ids = clients.map(({ value }) => value.id);
  const subjects = [...new Map(users.map(({ value }) => [value.name, value.sub ?? value.name])).values()];
  reportDuplicates(report, "clients", ids);
  reportDuplicates(report, "users", users.map(({ value }) => value.name));
  for (const { value, path } of clients) checkClient(value, offered, below(path, report));
  for (const { value, path } of users) checkUser(value, passwords, below(path, report));
  reportDuplicates(report, "the 'sub' of users", subjects);
  for (const id of ids) if (subjects.includes(id)) report("clients", `holds '${id}', which is also the 'sub' of a user`);
}

function soundOnes<T>(name: string, list: readonly T[] | undefined, isSound: Examined["isSound"]): Array<{ value: T; path: string }> {
  if (!Array.isArray(list)) return [];
  return list.map((value, at) => ({ value, path: `${name}[${at}]` })).filter(({ path }) => isSound(path));
}

/** Tells problems of the members of what stands at a path. */
function below(path: string, report: Report): Report {
  return (member, problem) => report(`${path}.${member}`, problem);
}
