import type { TestLab } from "../../src/lab/testing/mod.ts";

/** The response of an operation of a lab; a file that is downloaded has its text as `json`. */
export interface LabCallResult {
  status: number;
  headers: Headers;
  // deno-lint-ignore no-explicit-any
  json: any;
}

/** Calls an operation of a lab over HTTP, as a test in any language does: "POST /faults". */
export async function callLab(
  lab: Pick<TestLab, "issuer" | "fetch">,
  operation: string,
  body?: unknown,
): Promise<LabCallResult> {
  const [method = "", path = ""] = operation.split(" ");
  const headers = { "Content-Type": "application/json" };
  const init = body === undefined ? {} : { headers, body: JSON.stringify(body) };
  const request = new Request(`${lab.issuer}/lab${path}`, { method, ...init });
  const response = await lab.fetch(request);
  const text = await response.text();
  const isJson = /json/.test(response.headers.get("Content-Type") ?? "");
  const json = isJson ? JSON.parse(text) : text;
  return { status: response.status, headers: response.headers, json };
}
