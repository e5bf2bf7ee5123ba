import type { ClientAuthenticationMethod } from "../../model/client.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import type { Config } from "../config.ts";
import type { ReportProblem } from "../shape.ts";

/** A named preset of the configuration: what it fills in, and what everything under it must fulfil. */
export interface Profile {
  name: NonNullable<Config["profile"]>;
  /** Defaults, which a configuration may change as far as the rules let it. */
  server: Partial<Config>;
  client: Partial<ClientConfig>;
  /** Defaults for clients that the operator did not write down. */
  untrustedClient: Partial<ClientConfig>;
  /** What untrusted clients may ask for where `registration.allow` does not say. */
  untrustedClients: "standard scopes" | "everything";
  /** The algorithms that sign here, and with which clients may sign. */
  algs: readonly SigningAlgorithm[];
  /** The ways in which clients may authenticate. */
  authentication: readonly ClientAuthenticationMethod[];
  serverRules: ReadonlyArray<ProfileRule<Config>>;
  clientRules: ReadonlyArray<ProfileRule<Partial<ClientConfig>>>;
}

/** Something that holds under a profile, whatever a configuration says. */
export interface ProfileRule<T> {
  /** What it is about: "lifetimes.code". */
  path: string;
  /** What is demanded of it: "must be at most 60 seconds". */
  requirement: string;
  /** Where it is demanded: "FAPI 2.0 Security Profile, section 5.3.2.1". */
  see: string;
  holds(config: T): boolean;
}

/** Adds the server's defaults of a profile to what was given. */
export function fillServer({ server }: Profile, given: Config): Config {
  return { ...fill(server, given), lifetimes: { ...server.lifetimes, ...given.lifetimes } };
}

/** Adds the client's defaults of a profile to what was given. */
export function fillClient({ client }: Profile, given: ClientConfig): ClientConfig {
  return fill(client, given);
}

/** What was given, and the defaults where nothing was: a member that is undefined counts as left out. */
function fill<T extends object>(defaults: Partial<T>, given: T): T {
  return {
    ...defaults,
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  } as T;
}

/** Tells every rule of a profile that does not hold. */
export function checkRules<T>(
  profile: Profile,
  rules: ReadonlyArray<ProfileRule<T>>,
  config: T,
  report: ReportProblem,
): void {
  for (const { path, requirement, see, holds } of rules) {
    if (!holds(config)) report(path, `${requirement} under the profile ${profile.name} (${see})`);
  }
}
