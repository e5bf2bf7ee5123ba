import { readFileSync } from "node:fs";

/** A metadata document of a provider, as it was published on a day. */
export interface PublishedMetadata {
  source: string;
  date: string;
  document: Record<string, unknown>;
}

/** Reads a stored copy of a provider's metadata. */
export function readPublishedMetadata(name: string): PublishedMetadata {
  return JSON.parse(readFileSync(`tests/lab/providers/metadata/${name}.json`, "utf8"));
}

/**
 * Returns what differs between a published document and that of a lab, by member. URLs differ in
 * their hosts alone: a lab has all endpoints at one.
 */
export function differingMembers(
  { document }: PublishedMetadata,
  played: Record<string, unknown>,
): string[] {
  const names = new Set([...Object.keys(document), ...Object.keys(played)]);
  const isSame = (name: string) =>
    JSON.stringify(withoutHost(document[name])) === JSON.stringify(withoutHost(played[name]));
  return [...names].filter((name) => !isSame(name)).sort();
}

/** Returns the members that differ in any way, for a lab that has the hosts of the provider. */
export function exactlyDifferingMembers(
  { document }: PublishedMetadata,
  played: Record<string, unknown>,
): string[] {
  return Object.keys(document).filter((name) =>
    JSON.stringify(document[name]) !== JSON.stringify(played[name])
  );
}

function withoutHost(value: unknown): unknown {
  return typeof value === "string" ? value.replace(/^https?:\/\/[^/]+/, "") : value;
}
