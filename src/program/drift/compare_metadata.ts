import { canonicalJson } from "../../server/util/text/json.ts";
import { isEndpointMember } from "../metadata/provider_metadata.ts";

/** What a member of metadata is about. */
export type DriftArea =
  | "issuer"
  | "endpoints"
  | "algorithms"
  | "scopes"
  | "claims"
  | "keys"
  | "other";

/** What a provider does differently from its preset. */
export interface Difference {
  area: DriftArea;
  /** The member of the metadata: `scopes_supported`. */
  member: string;
  /** Missing where the lab has no such member. */
  preset?: unknown;
  /** Missing where the provider has no such member. */
  real?: unknown;
  /** The entries of a list that one of the two has alone. */
  onlyPreset?: unknown[];
  onlyReal?: unknown[];
  /** Whether a list has the same entries in another order, which has no meaning. */
  isOrder?: true;
}

/** Two documents to compare, by member. */
export interface ComparedDocuments {
  preset: Readonly<Record<string, unknown>>;
  real: Readonly<Record<string, unknown>>;
  /** Whether URLs must have the same hosts. A lab without those of the provider has its own. */
  hosts: "compare" | "ignore";
}

/** Compares two documents member by member, in the order of their areas. */
export function compareMetadata({ preset, real, hosts }: ComparedDocuments): Difference[] {
  const shown = hosts === "compare" ? (value: unknown) => value : withoutHost;
  return [...new Set([...Object.keys(real), ...Object.keys(preset)])]
    .sort((one, other) => rankOf(one) - rankOf(other))
    .flatMap((member) => compareMember(member, shown(preset[member]), shown(real[member])));
}

/** Returns what a member of metadata is about. */
export function areaOf(member: string): DriftArea {
  if (member === "issuer") return "issuer";
  if (isEndpointMember(member)) return "endpoints";
  if (/_alg(?:s|_values)|_enc_values|code_challenge/.test(member)) return "algorithms";
  if (member === "scopes_supported") return "scopes";
  return member.startsWith("claim") ? "claims" : "other";
}

const areas: readonly DriftArea[] = [
  ...["issuer", "endpoints", "algorithms", "scopes", "claims", "keys", "other"] as const,
];

function rankOf(member: string): number {
  return areas.indexOf(areaOf(member));
}

function compareMember(member: string, preset: unknown, real: unknown): Difference[] {
  if (isSame(preset, real)) return [];
  const area = areaOf(member);
  const values = {
    ...preset !== undefined && { preset },
    ...real !== undefined && { real },
  };
  if (!Array.isArray(preset) || !Array.isArray(real)) return [{ area, member, ...values }];
  const onlyPreset = without(preset, real);
  const onlyReal = without(real, preset);
  const isOrder = onlyPreset.length === 0 && onlyReal.length === 0;
  return [isOrder ? { area, member, isOrder } : { area, member, onlyPreset, onlyReal }];
}

function without(some: readonly unknown[], others: readonly unknown[]): unknown[] {
  return some.filter((each) => !others.some((other) => isSame(each, other)));
}

function isSame(one: unknown, other: unknown): boolean {
  return one === undefined || other === undefined
    ? one === other
    : canonicalJson(one) === canonicalJson(other);
}

function withoutHost(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/^https?:\/\/[^/]+/, "") : value;
}
