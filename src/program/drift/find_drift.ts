import { endpointNames, isEndpointField } from "../../lab/dialect/endpoint_names.ts";
import { matchPath } from "../../lab/dialect/match_path.ts";
import type { PresetFact } from "../../lab/providers/preset.ts";
import { pathOf, type ReadMetadata } from "../metadata/provider_metadata.ts";
import { compareKeySets } from "./compare_key_sets.ts";
import { compareMetadata, type Difference } from "./compare_metadata.ts";
import type { ComparedProvider } from "./compared_provider.ts";

/** What a provider does differently from a preset, and what was compared. */
export interface Drift {
  differences: Difference[];
  /** The members of metadata that were compared, and `keys`. */
  compared: string[];
  /** The members of metadata that the preset says nothing about. */
  unplayed: string[];
  /** What cannot be known from outside, or the preset does not say. */
  notCompared: string[];
}

/** The settings that metadata shows. */
const visibleSettings: readonly string[] = ["paths", "scopes", "idTokenAlgs", "grantTypes"];
/** The parts of a dialect that metadata shows. */
const visibleDialect: readonly string[] = [
  ...["issuerPath", "tenant", "hosts", "aliases", "documents", "ownMetadata"],
];

/**
 * Members of metadata that a setting decides, if the preset does not say what is in the metadata.
 */
const membersOfSettings: Readonly<Record<string, string>> = {
  scopes: "scopes_supported",
  idTokenAlgs: "id_token_signing_alg_values_supported",
  grantTypes: "grant_types_supported",
};

/** Compares what a lab plays with what a provider publishes. */
export function findDrift(
  played: ComparedProvider,
  { document }: ReadMetadata,
  keySet: unknown,
): Drift {
  const members = comparedMembers(played, document);
  const only = (values: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => members.has(name)));
  const differences = compareMetadata({
    preset: only(played.metadata ?? {}),
    real: only(document),
    hosts: played.hasHosts ? "compare" : "ignore",
  }).filter((each) => !isAlias(played, each));
  const hasKeys = keySet !== undefined;
  const others = Object.keys(document).filter((name) => !members.has(name));
  return {
    differences: [...differences, ...hasKeys ? compareKeySets(played.keySet, keySet) : []],
    compared: [...members, ...hasKeys ? ["keys"] : []],
    unplayed: others,
    notCompared: [
      ...hasKeys ? [] : ["keys: only the metadata was read"],
      ...played.hasHosts ? [] : ["hosts: the lab has all endpoints at its own"],
      ...invisibleFacts(played),
    ],
  };
}

function comparedMembers(
  { playsMetadata, metadata = {}, settings }: ComparedProvider,
  document: Readonly<Record<string, unknown>>,
): Set<string> {
  if (playsMetadata) return new Set([...Object.keys(document), ...Object.keys(metadata)]);
  const decided = Object.entries(membersOfSettings)
    .filter(([name]) => Object.hasOwn(settings, name)).map(([, member]) => member);
  const { paths = {}, dialect: { aliases = [] } = {} } = settings;
  const played = [...Object.keys(paths), ...aliases.map(({ to }) => to)];
  const endpoints = Object.keys(document).filter((name) =>
    isEndpointField(name) && played.includes(endpointNames[name])
  );
  return new Set(["issuer", ...endpoints, ...decided]);
}

/** A lab may have an endpoint at the path of the provider beside the one in its metadata. */
function isAlias(
  { playsMetadata, settings }: ComparedProvider,
  { area, real }: Difference,
): boolean {
  if (playsMetadata || area !== "endpoints" || typeof real !== "string") return false;
  const path = real.startsWith("/") ? real : pathOf(real);
  return matchPath(settings.dialect?.aliases ?? [], path) !== undefined;
}

function invisibleFacts({ preset: { name, facts } }: ComparedProvider): string[] {
  return Object.entries(facts).filter(([, fact]) => isInvisible(fact))
    .map(([id, { says }]) => `${name}.${id}: ${says}`);
}

function isInvisible({ plays: { dialect = {}, ...settings } }: PresetFact): boolean {
  return Object.keys(settings).some((name) => !visibleSettings.includes(name)) ||
    Object.keys(dialect).some((name) => !visibleDialect.includes(name));
}
