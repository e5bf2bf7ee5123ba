import { checkAddresses } from "./addresses.ts";
import { checkClient } from "./check_client.ts";
import type { Config } from "./config.ts";
import { defaultPolicies } from "./defaults.ts";
import { checkRotation } from "./key_rotation.ts";
import { reportBeyond, reportDuplicates } from "./problems.ts";
import { checkRules, type Profile } from "./profiles/profile.ts";
import { checkRegistration } from "./resolve_registration.ts";
import { checkResource, uriOf } from "./resource_config.ts";
import { capabilitiesOf, type ServerCapabilities } from "./server_capabilities.ts";
import type { ReportProblem } from "./shape.ts";
import { checkTrustedIssuers } from "./trusted_issuers.ts";
import { checkUser } from "./user_config.ts";

/** A configuration under examination. */
export interface ConfigUnderCheck {
  config: Config;
  profile: Profile;
  /** Every grant that there is. */
  grantTypes: readonly string[];
  /** Whether what stands at a path has the right shape. */
  isSound: (path: string) => boolean;
  report: ReportProblem;
}

/** Checks what members say against each other, as far as each of them has the right shape. */
export function checkConfig(checked: ConfigUnderCheck): void {
  const { config, profile, grantTypes, isSound, report } = checked;
  const capabilities = capabilitiesOf(config, profile, isSound);
  checkAddresses(config, isSound, report);
  if (config.clientMetadataDocuments && !config.fetchUntrusted) {
    report(
      "clientMetadataDocuments",
      "needs fetchUntrusted, a safe way to fetch the documents; hallpass/serve has guardedFetch()",
    );
  }
  checkRules(profile, profile.serverRules.filter(({ path }) => isSound(path)), config, report);
  reportBeyond(report, "grantTypes", capabilities.grantTypes, {
    among: grantTypes,
    why: `; known are: ${grantTypes.join(", ")}`,
  });
  if (isSound("keyRotation") && isSound("keyOverlap")) checkRotation(config, report);
  if (["registration", "scopes", "resources", "authorizationDetails"].every(isSound)) {
    checkRegistration(config, capabilities, report);
  }
  checkIssuers(checked, capabilities);
  checkResources(checked, capabilities);
  checkParties(checked, capabilities);
}

function checkIssuers(
  { config, isSound, report }: ConfigUnderCheck,
  capabilities: ServerCapabilities,
): void {
  const issuers = soundOnes("trustedIssuers", config.trustedIssuers, isSound);
  reportDuplicates(report, "trustedIssuers", issuers.map(({ value }) => value.issuer));
  checkTrustedIssuers(config, issuers, capabilities, report);
}

function checkResources(
  { config, isSound, report }: ConfigUnderCheck,
  capabilities: ServerCapabilities,
): void {
  const resources = soundOnes(
    "resources",
    config.resources === "any" ? [] : config.resources,
    isSound,
  );
  reportDuplicates(report, "resources", resources.map(({ value }) => uriOf(value)));
  for (const { value, path } of resources) checkResource(value, capabilities, below(path, report));
}

/** Clients and users: in a token, a client that acts for itself and a person are both a `sub` (RFC 9700, section 4.15). */
function checkParties(
  { config, isSound, report }: ConfigUnderCheck,
  capabilities: ServerCapabilities,
): void {
  const passwords = config.policies?.passwords ?? defaultPolicies.passwords;
  const clients = soundOnes("clients", config.clients, isSound);
  const users = soundOnes("users", config.users, isSound);
  const ids = clients.map(({ value }) => value.id);
  const subjects = [
    ...new Map(users.map(({ value }) => [value.name, value.sub ?? value.name])).values(),
  ];
  reportDuplicates(report, "clients", ids);
  reportDuplicates(report, "users", users.map(({ value }) => value.name));
  for (const { value, path } of clients) checkClient(value, capabilities, below(path, report));
  for (const { value, path } of users) checkUser(value, passwords, below(path, report));
  reportDuplicates(report, "the 'sub' of users", subjects);
  for (const id of ids) {
    if (subjects.includes(id)) {
      report("clients", `holds '${id}', which is also the 'sub' of a user`);
    }
  }
}

function soundOnes<T>(
  name: string,
  list: readonly T[] | undefined,
  isSound: ConfigUnderCheck["isSound"],
): Array<{ value: T; path: string }> {
  if (!Array.isArray(list)) return [];
  return list.map((value, at) => ({ value, path: `${name}[${at}]` })).filter(({ path }) =>
    isSound(path)
  );
}

/** Tells problems of the members of what stands at a path. */
function below(path: string, report: ReportProblem): ReportProblem {
  return (member, problem) => report(`${path}.${member}`, problem);
}
