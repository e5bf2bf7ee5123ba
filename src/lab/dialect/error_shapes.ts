import { jsonOf, type WireRequest, type WireResponse } from "../recording/exchange.ts";
import type { Refusal } from "../recording/refusal.ts";
import { type FaultPlace, places } from "../responses/places.ts";
import type { ErrorShape } from "./response_settings.ts";
import { fillMembers, type TemplateValues } from "./template.ts";

/** The members of an error response (OAuth 2.1, section 3.2.4). */
const errorMembers = ["error", "error_description", "error_uri"];

/** Finds the shape of an error, by the error of the server and the rule that the request broke. */
export function findErrorShape(
  shapes: readonly ErrorShape[],
  place: FaultPlace,
  error: string,
  rule: string | undefined,
): ErrorShape | undefined {
  return shapes.find(({ at, for: names }) =>
    at === place && (names === undefined || names.some((each) => each === error || each === rule))
  );
}

export function shapedError(
  members: Readonly<Record<string, unknown>>,
  { set }: ErrorShape,
  values: TemplateValues,
): Record<string, unknown> {
  const others = Object.entries(members).filter(([name]) => !errorMembers.includes(name));
  const { error, error_description: description = "" } = members;
  return { ...Object.fromEntries(others), ...fillMembers(set, { ...values, error, description }) };
}

/** Returns an error response in JSON in the shape of a dialect. */
export function withErrorShape(
  shapes: readonly ErrorShape[],
  request: WireRequest,
  response: WireResponse,
  refusal: Refusal | undefined,
  values: TemplateValues,
): WireResponse {
  const members = errorIn(response);
  if (!members) return response;
  const place = placeNames.find((name) => places[name](request));
  const shape = place && findErrorShape(shapes, place, members.error ?? "", refusal?.rule);
  if (!shape) return response;
  const { status = response.status } = shape;
  // A challenge belongs to the status of the server.
  const replaced = ["content-type", ...status === response.status ? [] : ["www-authenticate"]];
  const kept = response.headers.filter(([name]) => !replaced.includes(name.toLowerCase()));
  const headers: WireResponse["headers"] = [...kept, ["Content-Type", "application/json"]];
  return { status, headers, body: JSON.stringify(shapedError(members, shape, values)) };
}

/** Returns the members of an error; a challenge for a request without a token has none. */
function errorIn(response: WireResponse): { error?: string } | undefined {
  if (response.status >= 400 && (response.body ?? "") === "") return {};
  const json = jsonOf(response);
  return typeof json?.error === "string" ? { ...json, error: json.error } : undefined;
}

const placeNames = Object.keys(places) as FaultPlace[];
