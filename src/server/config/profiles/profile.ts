import { openIdScopes } from "../../model/claims.ts";
import type { ClientAuthenticationMethod, CoreClientConfig } from "../../model/client_config.ts";
import type { SigningAlgorithm } from "../../model/signing.ts";
import { withoutUndefined } from "../../util/values/members.ts";
import type { CoreConfig } from "../config.ts";
import type { ReportProblem } from "../problems.ts";

/** The settings of a client that rules look at: those of a configuration or of a stored client. */
export type ClientSettings = {
  [Name in keyof CoreClientConfig]?: CoreClientConfig[Name] | undefined;
};

/** Settings of features that profiles know. A server without a feature refuses its settings. */
interface FeatureSettingsOfProfiles {
  clientMetadataDocuments?: boolean;
  registration?: string | { pkce?: string; assertionAudience?: string };
}

/** A named preset: defaults, and rules that every configuration under it must follow. */
export interface Profile {
  name: NonNullable<CoreConfig["profile"]>;
  /** Defaults of the server. A configuration may replace them as far as the rules allow. */
  server: Partial<CoreConfig & FeatureSettingsOfProfiles>;
  client: Partial<CoreClientConfig>;
  /** Defaults of each client that is not configured. */
  untrustedClient: Partial<CoreClientConfig>;
  /** What untrusted clients may ask for if `registration.allow` does not limit it. */
  untrustedClients: "standard scopes" | "everything";
  /** Whether the scope of a registration limits the client, or is no more than its default. */
  registeredScope: "limit" | "default";
  /** The algorithms that the server may sign with, and with them those of clients. */
  algs: readonly SigningAlgorithm[];
  /** How clients may authenticate. */
  authentication: readonly ClientAuthenticationMethod[];
  serverRules: readonly ServerRule[];
  clientRules: ReadonlyArray<ProfileRule<ClientSettings>>;
}

export type ServerRule = ProfileRule<CoreConfig & FeatureSettingsOfProfiles>;

/** A rule that every configuration under a profile must follow. */
export interface ProfileRule<T> {
  /** The setting that it is about: "lifetimes.code". */
  path: string;
  /** What it requires of the setting: "must be at most 60 seconds". */
  requirement: string;
  /** The section that requires it: "FAPI 2.0 Security Profile, section 5.3.2.1". */
  see: string;
  /** Whether a configuration follows the rule. */
  holds(config: T): boolean;
}

/** The defaults of a server with the setting `hardened`. */
const hardened: Partial<CoreConfig> = {
  pkce: "required",
  scopes: openIdScopes,
  idTokenClaims: "minimal",
  preferredUsername: "claim",
  refreshReuseGrace: 0,
  unknownScopes: "refuse",
};

/** Returns the defaults of a server that differ from the usual ones. */
export function stricterDefaults(
  { server }: Profile,
  given: Pick<CoreConfig, "hardened">,
): Profile["server"] {
  return given.hardened ? { ...hardened, ...server } : server;
}

/** Fills in the defaults of a server under a profile. */
export function fillServer(profile: Profile, given: CoreConfig): CoreConfig {
  const defaults = stricterDefaults(profile, given);
  const lifetimes = { ...defaults.lifetimes, ...given.lifetimes };
  return { ...defaults, ...withoutUndefined(given), lifetimes };
}

/** Fills in a profile's defaults of a client. A certificate binds its tokens instead of DPoP. */
export function fillClient({ client }: Profile, given: CoreClientConfig): CoreClientConfig {
  const binding = given.certificateBoundTokens ? { dpop: "optional" as const } : {};
  return { ...client, ...binding, ...withoutUndefined(given) };
}

/** Reports every rule of a profile that a configuration breaks. */
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
