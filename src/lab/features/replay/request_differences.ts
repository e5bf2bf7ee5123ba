import type { Exchange, WireRequest } from "../../recording/exchange.ts";
import { redact } from "../../recording/redact.ts";

/** Headers that belong to the connection, or that a request gets by itself. */
export const connectionHeaders: readonly string[] = [
  "connection",
  "content-length",
  "host",
  "transfer-encoding",
];

/** The method, a parameter, a header, or the body, that two requests send differently. */
export interface RequestDifference {
  /** Where it is. */
  place: "method" | "parameter" | "header" | "body";
  /** Its name. */
  name: string;
  /** Its values in the original; none if it does not have it. */
  original: string[];
  /** Its values in the replay; none if it does not have it. */
  replay: string[];
}

/** What is compared: each name of a place, with its values. */
type Sent = ReadonlyMap<string, readonly string[]>;

/** Returns what two requests send differently. Secrets differ visibly even if they are hidden. */
export function requestDifferences(
  original: Exchange,
  replay: Exchange,
  withSecrets: boolean,
): RequestDifference[] {
  const raw = [original.request, replay.request] as const;
  const shown = withSecrets ? raw : [redact(original).request, redact(replay).request] as const;
  return [
    ...differencesOf("method", raw.map(methodOf), shown.map(methodOf)),
    ...differencesOf("parameter", raw.map(parametersOf), shown.map(parametersOf)),
    ...differencesOf("header", raw.map(headersOf), shown.map(headersOf)),
    ...differencesOf("body", raw.map(bodyOf), shown.map(bodyOf)),
  ];
}

function differencesOf(
  place: RequestDifference["place"],
  [before = new Map(), after = new Map()]: Sent[],
  [shownBefore, shownAfter]: Sent[],
): RequestDifference[] {
  const names = [...new Set([...before.keys(), ...after.keys()])];
  return names.filter((name) => !areSame(before.get(name), after.get(name))).map((name) => ({
    place,
    name,
    original: [...shownBefore?.get(name) ?? []],
    replay: [...shownAfter?.get(name) ?? []],
  }));
}

/** Whether two lists have the same values in the same order. */
export function areSame(before: readonly string[] = [], after: readonly string[] = []): boolean {
  return before.length === after.length && before.every((value, at) => value === after[at]);
}

/** Returns the values of each parameter of a request, by its name. */
export function parametersOf({ query, form }: WireRequest): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of [...query, ...form]) {
    values.set(name, [...values.get(name) ?? [], value]);
  }
  return values;
}

function methodOf({ method }: WireRequest): Sent {
  return new Map([["method", [method]]]);
}

function headersOf({ headers }: WireRequest): Sent {
  const own = Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name));
  return new Map(own.map(([name, value]) => [name, [value]]));
}

/** A form is compared by its parameters. */
function bodyOf({ body, form }: WireRequest): Sent {
  return body === "" || form.size > 0 ? new Map() : new Map([["body", [body]]]);
}
