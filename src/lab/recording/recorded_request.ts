import { listHeaders } from "../../server/http/response_data.ts";
import type { Exchange } from "./exchange.ts";
import { redact } from "./redact.ts";
import { type Refusal, refusalOf } from "./refusal.ts";

/** A request that reached a lab, with its response, as plain data. */
export interface RecordedRequest {
  /** The number of the request, counted from 1 in a lab with its tenants. */
  id: number;
  /** When it came, in milliseconds of the lab's clock. */
  at: number;
  /** The HTTP method. */
  method: string;
  /** The whole URL. */
  url: string;
  /** The path below the issuer: `"/oauth2/token"`. */
  path: string;
  /** The tenant or provider that responded, if that was not the lab itself: `"google"`. */
  tenant?: string | undefined;
  /** The client that the request names. */
  client?: string | undefined;
  /** The headers, with names in lower case. */
  headers: Record<string, string>;
  /** The body as it came. */
  body: string;
  /** The parameters of the query and of a form body; of a repeated one, the last value. */
  parameters: Record<string, string>;
  /** The parameters of the query and of a form body, each with all its values, in order. */
  allParameters: Record<string, string[]>;
  /** The response; undefined if the connection was closed before it was complete. */
  response?: RecordedResponse | undefined;
  /** Why the server refused the request, even if a fault changed the response. */
  refusal?: Refusal | undefined;
  /** The names of the faults that changed the response. */
  faults: string[];
}

/** The response to a recorded request. */
export interface RecordedResponse {
  /** The HTTP status. */
  status: number;
  /** The headers. */
  headers: Record<string, string>;
  /** The body as it was sent. */
  body: string;
}

/** Converts an exchange to plain data. Secrets are hidden unless `withSecrets` is set. */
export function toRecordedRequest(exchange: Exchange, withSecrets: boolean): RecordedRequest {
  const { id, at, request, response: sent, faults } = withSecrets ? exchange : redact(exchange);
  const { method, url, path, client, headers, body, query, form } = request;
  const { tenant } = exchange;
  const pairs = [...query, ...form];
  const parameters = Object.fromEntries(pairs);
  const allParameters = Object.fromEntries(
    Object.keys(parameters).map((name) => [name, valuesOf(pairs, name)]),
  );
  const response = sent && { ...sent, headers: Object.fromEntries(listHeaders(sent.headers)) };
  const whole = {
    id,
    at,
    method,
    url,
    path,
    client,
    headers,
    body,
    parameters,
    allParameters,
    response,
    faults,
    ...tenant !== undefined && { tenant },
  };
  const refusal = refusalOf(exchange);
  return refusal ? { ...whole, refusal } : whole;
}

function valuesOf(pairs: ReadonlyArray<readonly [string, string]>, name: string): string[] {
  return pairs.filter(([each]) => each === name).map(([, value]) => value);
}
