/** @jsxImportSource preact */
import type { VNode } from "preact";

/** How many users and how many clients are listed there. */
const maxListed = 10;

/** Returns the entries that a page lists where another one has all. */
export function firstEntries<T>(entries: readonly T[]): readonly T[] {
  return entries.slice(0, maxListed);
}

/** Leads to the page that lists, searches and changes all. */
export function linkToAll(base: string, what: "users" | "clients", count: number): VNode {
  const text = count > maxListed ? `All ${count} ${what}` : `All ${what}`;
  return <a href={`${base}/lab/${what}`}>{text}</a>;
}
