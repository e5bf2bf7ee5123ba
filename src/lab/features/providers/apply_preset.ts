import { configSchema, grantTypes as knownGrants } from "../../../server/features.ts";
import { canonicalJson, isObject } from "../../../server/util/text/json.ts";
import { playedOrigin } from "../../dialect/played_hosts.ts";
import type { GivenLabConfig } from "../../lab_server/core_lab_config.ts";
import { toScopes } from "../../lab_server/lab_scopes.ts";
import { LabError } from "../../util/lab_error.ts";
import type { ProviderSetting } from "./config.ts";
import {
  commonSettings,
  type PresetFact,
  type PresetSettings,
  type ProviderPreset,
} from "./presets/preset.ts";

const common = { plays: commonSettings };

/**
 * Returns what the preset of a provider adds to the settings of a lab. Without an issuer that a
 * test chose, the provider may have its real one.
 *
 * @throws {LabError} A setting contradicts the preset, or its provider has no host to play.
 */
export function withPreset(
  preset: ProviderPreset,
  given: GivenLabConfig & ProviderSetting,
  mayChooseIssuer: boolean,
): GivenLabConfig {
  const { hosts = false } = given;
  const config = applyPreset(preset, given);
  if (!hosts || !mayChooseIssuer) return config;
  const chosen = typeof hosts === "object" ? hosts[preset.name] : undefined;
  return { ...config, issuer: chosen ?? realIssuer(config, preset.name) };
}

function realIssuer({ dialect }: GivenLabConfig, name: string): string {
  const issuer = playedOrigin(dialect?.hosts);
  if (issuer !== undefined) return issuer;
  throw new LabError(
    `'hosts' cannot choose a host for ${name}, whose customers have hosts of their own. ` +
      `Name your issuer: { "${name}": "https://shop.example" }, or --issuer on the command line.`,
  );
}

type Members = Readonly<Record<string, unknown>>;

/**
 * Returns the settings of a lab that plays a provider.
 *
 * @throws {LabError} A setting contradicts the preset; the message lists every one.
 */
export function applyPreset<C extends GivenLabConfig>(
  preset: ProviderPreset,
  given: C,
): C {
  const facts = Object.values(preset.facts);
  const fixed = settingsOf([common, ...facts.filter(({ isAdjustable }) => !isAdjustable)]);
  const adjustable = settingsOf(facts.filter(({ isAdjustable }) => isAdjustable));
  const { scopes, ...others } = given;
  // A test may add scopes to those of a provider.
  const config = scopes === undefined ? others : { ...others, scopes: toScopes(scopes) };
  const problems = [
    ...contradictions(fixed, config, "", preset.name),
    ...profileProblems(given, preset.name),
  ];
  if (problems.length > 0) {
    throw new LabError(`Cannot play the provider '${preset.name}': ${problems.join("; ")}.`);
  }
  return mergeSettings(playable(joinSettings([fixed, adjustable])), config) as C;
}

/** Leaves out the paths, lifetimes and grants of features that the server does not have. */
function playable(settings: PresetSettings): PresetSettings {
  const { paths, lifetimes, grantTypes } = settings;
  return {
    ...settings,
    ...paths && { paths: knownMembers("paths", paths) },
    ...lifetimes && { lifetimes: knownMembers("lifetimes", lifetimes) },
    ...grantTypes && { grantTypes: grantTypes.filter((type) => knownGrants.includes(type)) },
  };
}

function knownMembers<T>(name: string, group: Readonly<Record<string, T>>): Record<string, T> {
  const schema = configSchema.members[name];
  const known = schema?.type === "object" ? schema.members : {};
  const entries = Object.entries(group).filter(([member]) => Object.hasOwn(known, member));
  return Object.fromEntries(entries);
}

function settingsOf(facts: ReadonlyArray<Pick<PresetFact, "plays">>): PresetSettings {
  return joinSettings(facts.map(({ plays }) => plays as Members));
}

/**
 * Joins the settings of facts, all at once: each pair in turn would copy what was joined before.
 */
function joinSettings(all: readonly Members[]): Members {
  const valuesOf = new Map<string, unknown[]>();
  for (const [name, value] of all.flatMap((each) => Object.entries(each))) {
    if (value === undefined) continue;
    const values = valuesOf.get(name);
    if (values) values.push(value);
    else valuesOf.set(name, [value]);
  }
  return Object.fromEntries(Array.from(valuesOf, ([name, values]) => [name, joinValues(values)]));
}

/** Joins lists, and the members of objects; of other values, the last one counts. */
function joinValues(values: readonly unknown[]): unknown {
  if (values.length > 1 && values.every(isObject)) return joinSettings(values);
  return values.every(Array.isArray) ? values.flat() : values.at(-1);
}

/** Merges the settings of a test into those of a preset. */
function mergeSettings(preset: Members, given: Members): Members {
  const merged = new Map<string, unknown>(Object.entries(preset));
  for (const [name, after] of Object.entries(given)) {
    if (after === undefined) continue;
    const before = merged.get(name);
    const areObjects = isObject(before) && isObject(after);
    merged.set(name, areObjects ? mergeSettings(before, after) : after);
  }
  return Object.fromEntries(merged);
}

function contradictions(preset: Members, given: Members, path: string, name: string): string[] {
  return Object.entries(preset).flatMap(([member, expected]) => {
    const value = given[member];
    const here = `${path}${member}`;
    if (value === undefined || path === "scopes.") return [];
    if (isObject(expected) && isObject(value)) {
      return contradictions(expected, value, `${here}.`, name);
    }
    if (canonicalJson(value) === canonicalJson(expected)) return [];
    return [`'${here}' is ${shown(value)}, but ${name} has ${shown(expected)}`];
  });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 80 ? "another value" : text;
}

function profileProblems({ profile = "oauth-2.1" }: GivenLabConfig, name: string): string[] {
  if (profile === "oauth-2.1") return [];
  return [`the profile ${profile} forbids what ${name} does`];
}
