import type { ClientAuthenticationMethod } from "../../protocol/client.ts";
import type { SigningAlgorithm } from "../../protocol/signing.ts";
import type { ClientConfig } from "../client_config.ts";
import type { Config } from "../config.ts";
import type { Report } from "../shape.ts";

/** A named preset of the configuration: what it fills in, and what everything under it must fulfil. */
export interface Profile {
  name: NonNullable<Config["profile"]>;
  /** Defaults, which a configuration may change as far as the rules let it. */
  server: Partial<Config>;
  client: Partial<ClientConfig>;
  /** Defaults for clients that the operator did not write down. */
  stranger: Partial<ClientConfig>;
  /** What untrusted clients may ask for where `registration.allow` does not say. */
  untrustedClients: "standard scopes" | "everything";
  /** The algorithms that sign here, and with which clients may sign. */
  algs: readonly SigningAlgorithm[];
  /** The ways in which clients may authenticate. */
  authentication: readonly ClientAuthenticationMethod[];
  serverRules: ReadonlyArray<Rule<Config>>;
  clientRules: ReadonlyArray<Rule<Partial<ClientConfig>>>;
}

/** Something that holds under a profile, whatever a configuration says. */
export interface Rule<T> {
  /** What it is about: "lifetimes.code". */
  path: string;
  /** What is demanded of it: "must be at most 60 seconds". */
  demand: string;
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
  return { ...defaults, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) } as T;
}

/** Tells every rule of a profile that does not hold. */
export function checkRules<T>(profile: Profile, rules: ReadonlyArray<Rule<T>>, config: T, report: Report): void {
  for (const { path, demand, see, holds } of rules) {
    if (!holds(config)) report(path, `${demand} under the profile ${profile.name} (${see})`);
  }
}
