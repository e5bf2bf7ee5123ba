import type { Lab } from "../lab.ts";

/** Something that can be done with a lab over HTTP. The description of the interface is computed from it. */
export interface Operation {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/lab`; one segment may be open: "/users/:name". */
  path: string;
  /** What it does, in a few words. */
  summary: string;
  /** The parameters of the query. */
  query?: Readonly<Record<string, string>>;
  /** The members of the body. */
  body?: Readonly<Record<string, BodyMember>>;
  act(lab: Lab, call: OperationCall): unknown;
}

/** A member of a body, in the words of JSON Schema. */
export interface BodyMember {
  type: "string" | "number" | "boolean" | "object" | "array" | readonly string[];
  description: string;
  required?: boolean;
}

/** A call, read. */
export interface OperationCall {
  request: Request;
  /** What stood in the open segment of the path. */
  segment: string;
  query: URLSearchParams;
  body: Record<string, unknown>;
}
