import { readFileSync } from "node:fs";
import { compareMetadata } from "../../src/program/drift/compare_metadata.ts";

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
  const differences = compareMetadata({ preset: played, real: document, hosts: "ignore" });
  return differences.map(({ member }) => member).sort();
}

/** Returns the members that differ in any way, for a lab that has the hosts of the provider. */
export function exactlyDifferingMembers(
  { document }: PublishedMetadata,
  played: Record<string, unknown>,
): string[] {
  const differences = compareMetadata({ preset: played, real: document, hosts: "compare" });
  return differences.map(({ member }) => member).filter((each) => Object.hasOwn(document, each));
}
