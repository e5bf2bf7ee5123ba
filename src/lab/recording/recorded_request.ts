import type { Exchange } from "./exchange.ts";
import { redact } from "./redact.ts";

/** A request and its answer, as they are told to a test: plain data. */
export interface RecordedRequest {
  id: number;
  /** In milliseconds of the lab's clock. */
  at: number;
  method: string;
  url: string;
  /** Below the issuer: "/oauth2/token". */
  path: string;
  /** The client that the request names. */
  client?: string;
  headers: Record<string, string>;
  body: string;
  /** Of the query and of a form; the last one where a name came twice. */
  parameters: Record<string, string>;
  /** None, where the connection broke. */
  answer?: { status: number; headers: Record<string, string>; body: string };
  /** The faults that shaped the answer. */
  faults: string[];
}

/** Shows an exchange, its secrets hidden unless they are asked for. */
export function toRecordedRequest(exchange: Exchange, withSecrets: boolean): RecordedRequest {
  const { id, at, request, response, faults } = withSecrets ? exchange : redact(exchange);
  const { method, url, path, client, headers, body, query, form } = request;
  const parameters = Object.fromEntries([...query, ...form]);
  const answer = response && { ...response, headers: Object.fromEntries(response.headers) };
  return { id, at, method, url, path, client, headers, body, parameters, answer, faults };
}
