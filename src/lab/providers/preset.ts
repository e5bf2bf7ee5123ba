import type { Dialect } from "../dialect/dialect.ts";
import type { ErrorShape } from "../dialect/member_settings.ts";
import type { AliasTarget, DialectHost, EndpointAlias } from "../dialect/place_settings.ts";
import type { LabConfig } from "../lab_server/lab_server.ts";
import type { ProviderName } from "../lab_server/provider_names.ts";

/** How a provider looks to its clients, as data: facts, each with its source and what plays it. */
export interface ProviderPreset<Name extends string = ProviderName> {
  name: Name;
  /** The provider, as its documentation names it. */
  title: string;
  /** Where the facts come from, by a short name. */
  sources: Readonly<Record<string, PresetSource>>;
  /** The facts, by an id that the title of a test contains: `github.form_encoding`. */
  facts: Readonly<Record<string, PresetFact>>;
  /** Where the lab is stricter than the provider. */
  stricter: readonly string[];
  /** What the provider has and the lab does not play. */
  missing: readonly string[];
}

/** A text that facts come from: its URL, and which text was read, by its date or version. */
export type PresetSource = readonly [url: string, text: string];

/** One fact about a provider. */
export interface PresetFact {
  /** The names of its sources. */
  from: readonly string[];
  /** The fact, as a sentence. */
  says: string;
  /** The settings of the lab that play it. */
  plays: PresetSettings;
  /** Whether the sources leave doubt. */
  isUncertain?: true;
  /** Whether customers of the provider choose this themselves, so that a test may, too. */
  isAdjustable?: true;
}

/** The settings that a preset may have: none decides who reaches the lab or what the lab reaches. */
export type PresetSettings = Partial<
  Pick<
    LabConfig,
    | "paths"
    | "scopes"
    | "defaultScope"
    | "idTokenClaims"
    | "idTokenAlgs"
    | "accessTokenType"
    | "resources"
    | "defaultResource"
    | "audienceParameter"
    | "grantTypes"
    | "lifetimes"
    | "refreshTokens"
    | "errorUri"
    | "unknownClientPkce"
    | "redirectStatus"
    | "clientDefaults"
    | "dialect"
  >
>;

/** The names of these settings. */
export const presetSettingNames: readonly string[] = Object.keys(
  {
    paths: true,
    scopes: true,
    defaultScope: true,
    idTokenClaims: true,
    idTokenAlgs: true,
    accessTokenType: true,
    resources: true,
    defaultResource: true,
    audienceParameter: true,
    grantTypes: true,
    lifetimes: true,
    refreshTokens: true,
    errorUri: true,
    unknownClientPkce: true,
    redirectStatus: true,
    clientDefaults: true,
    dialect: true,
  } satisfies Record<keyof PresetSettings, true>,
);

/** When the sources of all presets were read. */
export const readOn = "2026-11-22";

/** What every provider has in place of members that are ours alone. */
export const commonSettings: PresetSettings = {
  errorUri: false,
  dialect: { tokenResponse: { unset: ["refresh_token_timeout", "authorization_expires_in"] } },
};

/** PKCE is not required of clients with a secret. */
export const optionalPkce: PresetSettings = {
  clientDefaults: { pkce: "optional" },
  unknownClientPkce: "optional",
};

/** Everything is signed with RS256. */
export const rs256: PresetSettings = { idTokenAlgs: ["RS256"] };

/** A fact that its sources state. */
export function fact(from: string, says: string, plays: PresetSettings): PresetFact {
  return { from: from.split(", "), says, plays };
}

/** A fact about the wire alone. */
export function wire(from: string, says: string, dialect: Dialect): PresetFact {
  return fact(from, says, { dialect });
}

/** A fact that its sources leave in doubt. */
export function uncertain(from: string, says: string, plays: PresetSettings): PresetFact {
  return { ...fact(from, says, plays), isUncertain: true };
}

/** A fact that customers of the provider may change. */
export function adjustable(from: string, says: string, plays: PresetSettings): PresetFact {
  return { ...fact(from, says, plays), isAdjustable: true };
}

/** Another error of the token endpoint; `names` are errors of the server, or rules. */
export function tokenError(
  names: string,
  set: Record<string, unknown>,
  status?: number,
): ErrorShape {
  return { at: "token", for: names.split(", "), set, ...status !== undefined && { status } };
}

/** Another error of the token endpoint, with a description. */
export function describedError(
  names: string,
  error: string,
  error_description: string,
  status?: number,
): ErrorShape {
  return tokenError(names, { error, error_description }, status);
}

/** Returns members that have the claims of the user by the same names. */
export function claimsOfUser(names: string): Record<string, string> {
  return Object.fromEntries(words(names).map((name) => [name, `{user.${name}}`]));
}

/** Returns other paths of an endpoint. */
export function aliases(to: AliasTarget, paths: string): EndpointAlias[] {
  return words(paths).map((path) => ({ path, to }));
}

/** Returns hosts, and the paths that the metadata names there. The first host has the issuer. */
export function hosts(names: string, paths?: string): DialectHost[] {
  return words(names).map((name) => ({ name, ...paths && { paths: words(paths) } }));
}

/** Returns the parts of a text that commas separate. */
export function parts(text: string): string[] {
  return text.split(", ");
}

/** Returns the words of a text. */
export function words(text: string): string[] {
  return text.split(" ");
}
