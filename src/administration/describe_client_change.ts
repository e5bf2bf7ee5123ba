import { type Client, isPublic } from "../server/model/client.ts";
import { canonicalJson } from "../server/util/text/json.ts";
import { effectiveSettings } from "./stored_client.ts";

/** The longest text of a value in the log of changes, in characters. */
const maxLength = 200;

/** Describes what is different about a client, a line for each setting, without secrets. */
export function describeClientChange(before: Client, after: Client): string[] {
  const from: Record<string, unknown> = { ...before.givenSettings ?? effectiveSettings(before) };
  const to: Record<string, unknown> = { ...after.givenSettings };
  const names = Object.keys({ ...from, ...to }).filter((name) => isDifferent(from[name], to[name]));
  return [
    ...names.map((name) => `${name}: ${describeValues(from[name], to[name])}`),
    ...describeSecret(before, after),
  ];
}

/** Of two lists, names only the entries that differ: they are hard to spot in a long list. */
function describeValues(from: unknown, to: unknown): string {
  if (!Array.isArray(from) || !Array.isArray(to)) return `${shown(from)} -> ${shown(to)}`;
  const added = to.filter((value) => !holds(from, value)).map((value) => `+${shown(value)}`);
  const removed = from.filter((value) => !holds(to, value)).map((value) => `-${shown(value)}`);
  return [...added, ...removed].join(" ") || "in another order";
}

function describeSecret(before: Client, after: Client): string[] {
  const [[from], [to]] = [before.secrets, after.secrets];
  if (from?.hash === to?.hash) return [];
  if (!from) return ["secret: added"];
  if (to) return ["secret: replaced"];
  return [isPublic(after) ? "secret: removed; the client is public now" : "secret: removed"];
}

function holds(list: readonly unknown[], value: unknown): boolean {
  return list.some((each) => !isDifferent(each, value));
}

function isDifferent(one: unknown, other: unknown): boolean {
  return canonicalJson(one ?? null) !== canonicalJson(other ?? null);
}

function shown(value: unknown): string {
  if (value === undefined) return "default";
  const text = JSON.stringify(value);
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text;
}
