import type { TestLab } from "../../src/lab/testing/mod.ts";
import { challenge, verifier } from "./flow_kit.ts";
import { callMcpTool } from "./mcp.ts";
import { present } from "./present.ts";

const redirectUri = "http://localhost:3000/callback";

/** Reads the metadata as a client does. */
export async function readMetadata(lab: TestLab, headers: HeadersInit = {}): Promise<void> {
  const url = `${lab.issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const response = await lab.fetch(url, { headers: { Accept: "application/json", ...headers } });
  await response.body?.cancel();
}

/** Reads the metadata, expects another issuer, and stops; then tries again. */
export async function readMetadataTwice(lab: TestLab): Promise<void> {
  for (const _ of [1, 2]) await readMetadata(lab);
}

/** Signs in as a client of the MCP server, for a scope. */
export async function mcpTokens(lab: TestLab, scope = "read"): Promise<Record<string, string>> {
  const fields = {
    client_id: "demo-cli",
    redirect_uri: redirectUri,
    resource: `${lab.issuer}/mcp`,
  };
  const query = new URLSearchParams({
    ...fields,
    response_type: "code",
    scope: `${scope} offline_access`,
    state: crypto.randomUUID(),
    prompt: "consent",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const url = `${lab.issuer}/oauth2/authorize?${query}`;
  const code = present((await lab.authorize(url, { user: "alice" })).code);
  const redeemed = { grant_type: "authorization_code", code, code_verifier: verifier };
  return await tokenResponse(lab, { ...fields, ...redeemed });
}

/** Refreshes the tokens of a client of the MCP server. */
export function refreshMcp(lab: TestLab, refresh_token = ""): Promise<Record<string, string>> {
  return tokenResponse(lab, { client_id: "demo-cli", grant_type: "refresh_token", refresh_token });
}

async function tokenResponse(
  lab: TestLab,
  fields: Record<string, string>,
): Promise<Record<string, string>> {
  const body = new URLSearchParams(fields);
  return await (await lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body })).json();
}

/** Refreshes its tokens when a tool needs a further scope, and calls it again. */
export async function refreshForScope(lab: TestLab): Promise<void> {
  const { access_token, refresh_token } = await mcpTokens(lab);
  await callMcpTool(lab, "write_note", { token: access_token });
  const refreshed = await refreshMcp(lab, refresh_token);
  await callMcpTool(lab, "write_note", { token: refreshed.access_token });
}

/** Registers a program, and returns its client id. */
export async function registerNotes(lab: TestLab, changes: object = {}): Promise<string> {
  const body = JSON.stringify({
    client_name: "Notes",
    redirect_uris: ["http://localhost:3000/callback"],
    token_endpoint_auth_method: "none",
    ...changes,
  });
  const headers = { "Content-Type": "application/json" };
  const url = `${lab.issuer}/oauth2/register`;
  return (await (await lab.fetch(url, { method: "POST", headers, body })).json()).client_id;
}
