import { readFileSync } from "node:fs";
import { playedHosts } from "../../../../src/lab/dialect/played_hosts.ts";
import { applyPreset } from "../../../../src/lab/features/providers/apply_preset.ts";
import type { ProviderName } from "../../../../src/lab/features/providers/config.ts";
import { loadPreset } from "../../../../src/lab/features/providers/presets.ts";
import type { PresetSettings } from "../../../../src/lab/features/providers/presets/preset.ts";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import { canonicalJson } from "../../../../src/server/util/text/json.ts";

/** A metadata document of a provider, as it was published on a day. */
export interface PublishedMetadata {
  source: string;
  date: string;
  document: Record<string, unknown>;
}

/** What a lab publishes in place of a provider. */
export interface PlayedMetadata {
  document: Record<string, unknown>;
  /** Whether the lab has the hosts of the provider. */
  hasHosts: boolean;
  /** The algorithms of the published keys. */
  keys: string[];
  /** Whether there is the document of RFC 8414 as well. */
  hasOther: boolean;
}

/** Reads a stored copy of a provider's metadata. */
export function readPublishedMetadata(name: string): PublishedMetadata {
  return JSON.parse(readFileSync(`tests/lab/features/providers/metadata/${name}.json`, "utf8"));
}

const otherPath = "/.well-known/oauth-authorization-server";

/** Opens a lab at the issuer of a provider, and reads its metadata where the provider has it. */
export async function playPublished(
  provider: ProviderName,
  { source, document }: PublishedMetadata,
): Promise<PlayedMetadata> {
  const { pathname } = new URL(source.split(",")[0] ?? "");
  const { origin, hostname, pathname: ownPath } = new URL(String(document.issuer));
  const hasHosts = playedHosts(
    applyPreset<PresetSettings>(await loadPreset(provider), {}).dialect?.hosts,
  )
    .includes(hostname);
  const base = hasHosts ? origin : "https://hallpass.test";
  const issuerPath = ownPath.replace(/\/$/, "");
  // The preset decides a tenant, for which some metadata has a placeholder.
  const issuer = String(document.issuer).includes("{") ? base : base + issuerPath;
  await using lab = await hallpass({ provider, issuer });
  const path = pathname.includes("/.well-known/")
    ? pathname
    : `${issuerPath}/.well-known/openid-configuration`;
  const played = await (await lab.fetch(base + path)).json();
  const { keys } = await (await lab.fetch(played.jwks_uri)).json();
  const other = await lab.fetch(lab.issuer.replace(/\/?$/, otherPath));
  return {
    ...{ document: played, hasHosts, hasOther: other.status === 200 },
    keys: keys.map(({ alg }: { alg: string }) => alg),
  };
}

/**
 * Returns what differs between a published document and that of a lab, by member. URLs differ in
 * their hosts alone: a lab has all endpoints at one.
 */
export function differingMembers(
  { document }: PublishedMetadata,
  played: Record<string, unknown>,
): string[] {
  return membersThatDiffer(document, played, withoutHost);
}

/** Returns the members that differ in any way, for a lab that has the hosts of the provider. */
export function exactlyDifferingMembers(
  { document }: PublishedMetadata,
  played: Record<string, unknown>,
): string[] {
  return membersThatDiffer(document, played, (value) => value)
    .filter((each) => Object.hasOwn(document, each));
}

function membersThatDiffer(
  published: Record<string, unknown>,
  played: Record<string, unknown>,
  shown: (value: unknown) => unknown,
): string[] {
  const members = new Set([...Object.keys(published), ...Object.keys(played)]);
  return [...members].filter((member) => {
    const [one, other] = [published[member], played[member]].map(shown);
    return one === undefined || other === undefined || canonicalJson(one) !== canonicalJson(other);
  }).sort();
}

function withoutHost(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/^https?:\/\/[^/]+/, "") : value;
}
