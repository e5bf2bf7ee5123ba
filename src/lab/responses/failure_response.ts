import type { WireResponse } from "../recording/exchange.ts";

/** Returns an error response in the format that all endpoints use. */
export function failureResponse(
  status: number,
  error: string,
  error_description: string,
  headers: WireResponse["headers"] = [],
): WireResponse {
  const body = JSON.stringify({ error, error_description });
  const noStore: WireResponse["headers"] = [["Cache-Control", "no-store"], ...headers];
  return readableResponse(status, "application/json", body, noStore);
}

/** Returns a response that scripts of any origin can read. */
export function readableResponse(
  status: number,
  type: string,
  body: string,
  headers: WireResponse["headers"] = [],
): WireResponse {
  return {
    status,
    headers: [["Content-Type", type], ["Access-Control-Allow-Origin", "*"], ...headers],
    body,
  };
}
