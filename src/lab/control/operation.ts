import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { Lab } from "./lab.ts";

/** An operation of a lab over HTTP. The OpenAPI description is computed from it. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** The path below `/lab`; one segment may be open: "/users/:name". */
  path: string;
  /** What the operation does, in one sentence. */
  summary: string;
  /** The query parameters, with their descriptions. */
  query?: Readonly<Record<string, string>>;
  /** The members of the body. */
  body?: BodyMembers;
  /** Does it, and returns the body of the response. */
  run(lab: Lab, call: OperationCall): unknown;
}

export type BodyMembers = Readonly<Record<string, BodyMember>>;

/** A member of a body, in the words of JSON Schema. */
export interface BodyMember {
  type: "string" | "number" | "boolean" | "object" | "array" | readonly string[];
  description: string;
  required?: boolean;
  /** The names to choose from, listed if it is missing. */
  choices?: readonly string[];
}

/** A call of an operation. */
export interface OperationCall {
  request: IncomingRequest;
  /** The value of the open segment of the path. */
  segment: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}
