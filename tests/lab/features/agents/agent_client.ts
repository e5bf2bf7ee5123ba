import { assert, assertEquals } from "@std/assert";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { freshUrl } from "../../../support/login.ts";
import { sendMcp } from "../../../support/mcp.ts";
import { resultProblems } from "./tool_results.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

/** What a tool returned. */
export interface ToolReply {
  text: string;
  isError: boolean;
  value: Json;
}

const bytesOfText = 4_000;

/** Opens a lab with an address that could have a port. */
export function openAgentLab(): Promise<TestLab> {
  return hallpass({ issuer: "http://localhost:9000" });
}

/** Returns the result of a request of an agent. */
export async function askAs(lab: TestLab, method: string, params: object = {}): Promise<Json> {
  const named = "uri" in params ? { "Mcp-Name": String(params.uri) } : undefined;
  const { status, json } = await sendMcp(lab, {
    path: "/lab/mcp",
    method,
    params: params as Record<string, unknown>,
    ...named && { headers: named },
  });
  assertEquals([status, json.error], [200, undefined]);
  return json.result;
}

/** Calls a tool, and checks that its result is short and as its schema says. */
export async function callAgentTool(
  lab: TestLab,
  name: string,
  args: object = {},
): Promise<ToolReply> {
  const result = await askAs(lab, "tools/call", { name, arguments: args });
  const [{ text }] = result.content;
  assert(new TextEncoder().encode(text).length <= bytesOfText, `${name} is long`);
  const isError = result.isError === true;
  if (!isError) assertEquals(await resultProblems(name, result.structuredContent), [], name);
  return { text, isError, value: result.structuredContent };
}

/** Sends a form, as an application does. */
export function postForm(lab: TestLab, path: string, fields: Record<string, string>) {
  return lab.fetch(`${lab.issuer}${path}`, { method: "POST", body: new URLSearchParams(fields) });
}

/** Redeems a code with another redirect URI than it was issued for, and returns the code. */
export async function refuseCode(lab: TestLab): Promise<string> {
  const { code = "" } = await lab.authorize(freshUrl(lab), { user: "alice" });
  await postForm(lab, "/oauth2/token", {
    grant_type: "authorization_code",
    code,
    client_id: "demo-spa",
    redirect_uri: "http://localhost:1/other",
    code_verifier: "v".repeat(43),
  });
  return code;
}
