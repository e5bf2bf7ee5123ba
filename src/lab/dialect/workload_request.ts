import { isObject, parseJson } from "../../server/util/text/json.ts";
import { ownMember } from "../../server/util/values/own_member.ts";
import type { WireRequest } from "../recording/exchange.ts";
import type { CompleteWorkloadTokens } from "./workload_defaults.ts";

/** What a request for a token asks for. */
export interface RequestedToken {
  /** The audience; undefined if the request names none. */
  audience: unknown;
  /** In seconds. */
  lifetime: number;
  /** The JSON of the request. */
  body: unknown;
}

/** The longest lifetime, in seconds: 2^32, as Kubernetes has it. */
const maxLifetime = 2 ** 32;

/** Reads a request for a token, or returns what is wrong with it. */
export function readWorkloadRequest(
  settings: CompleteWorkloadTokens,
  request: WireRequest,
): RequestedToken | { problem: string } {
  const { method, lifetime } = settings;
  if (method === "GET") {
    return { audience: request.query.get("audience") || undefined, lifetime, body: {} };
  }
  const body = parseJson(request.body);
  if (!isObject(body)) return { problem: "the body is not a JSON object" };
  return readBody(settings, body);
}

function readBody(
  { request = {}, lifetime: defaultLifetime }: CompleteWorkloadTokens,
  body: Readonly<Record<string, unknown>>,
): RequestedToken | { problem: string } {
  const { audience, lifetime, minLifetime = 1, values = {} } = request;
  const audiences = memberAt(body, audience);
  const requested = memberAt(body, lifetime) ?? defaultLifetime;
  const problem = audiencesProblem(audience, audiences) ??
    lifetimeProblem(lifetime, requested, minLifetime) ?? valuesProblem(values, body);
  if (problem !== undefined) return { problem };
  const named = Array.isArray(audiences) && audiences.length > 0;
  return { audience: named ? audiences : undefined, lifetime: Number(requested), body };
}

/** Returns the member at a path: `"spec.audiences"`. */
export function memberAt(body: unknown, path: string | undefined): unknown {
  if (path === undefined) return undefined;
  return path.split(".").reduce<unknown>(
    (each, name) => isObject(each) ? ownMember(each, name) ?? undefined : undefined,
    body,
  ) ?? undefined;
}

function audiencesProblem(path: string | undefined, value: unknown): string | undefined {
  const isList = Array.isArray(value) && value.every((each) => typeof each === "string" && each);
  return value === undefined || isList
    ? undefined
    : `${path}: Invalid value: ${shown(value)}: must be a list of texts`;
}

function lifetimeProblem(
  path: string | undefined,
  value: unknown,
  minLifetime: number,
): string | undefined {
  const wrong = (reason: string) => `${path}: Invalid value: ${shown(value)}: ${reason}`;
  if (!Number.isInteger(value)) return wrong("must be a whole number of seconds");
  if (Number(value) < minLifetime) {
    return wrong(`may not specify a duration less than ${spanOf(minLifetime)}`);
  }
  return Number(value) > maxLifetime
    ? wrong("may not specify a duration larger than 2^32 seconds")
    : undefined;
}

function spanOf(seconds: number): string {
  return seconds % 60 === 0 ? `${seconds / 60} minutes` : `${seconds} seconds`;
}

function valuesProblem(
  values: Readonly<Record<string, readonly string[]>>,
  body: unknown,
): string | undefined {
  for (const [path, allowed] of Object.entries(values)) {
    const value = memberAt(body, path);
    if (value !== undefined && !allowed.some((each) => each === value)) {
      return `${path}: Unsupported value: ${shown(value)}: supported values: ${allowed.join(", ")}`;
    }
  }
  return undefined;
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 80);
}
