import { type FaultPlace, places } from "../faults/places.ts";
import { jsonOf, type WireRequest, type WireResponse } from "../recording/exchange.ts";
import type { Refusal } from "../recording/refusal.ts";
import type { ErrorShape } from "./dialect.ts";
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

/** Returns the members of an error in the shape of a dialect. */
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
  const json = jsonOf(response);
  if (!json || typeof json.error !== "string") return response;
  const place = placeNames.find((name) => places[name](request));
  const shape = place && findErrorShape(shapes, place, json.error, refusal?.rule);
  if (!shape) return response;
  const { status = response.status } = shape;
  // A challenge belongs to the status of the server.
  const headers = status === response.status
    ? response.headers
    : response.headers.filter(([name]) => name.toLowerCase() !== "www-authenticate");
  return { status, headers, body: JSON.stringify(shapedError(json, shape, values)) };
}

const placeNames = Object.keys(places) as FaultPlace[];
