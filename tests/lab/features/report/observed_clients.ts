import type { TestLab } from "../../../../src/lab/testing/mod.ts";
import type { Duration } from "../../../../src/server/util/time/duration.ts";
import { makeProof, proofKey } from "../../../support/dpop.ts";
import { callMcpTool } from "../../../support/mcp.ts";
import { registerAt } from "../../../support/registration.ts";
import { testClient } from "../../../support/test_client.ts";
import type { Tokens } from "../../../support/wire.ts";

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

const cli = testClient({ client_id: "demo-cli", redirect_uri: redirectUri });

/** Signs in as a client of the MCP server, for a scope. */
export async function mcpTokens(lab: TestLab, scope = "read"): Promise<Tokens> {
  const resource = `${lab.issuer}/mcp`;
  const code = await cli.code(lab, {
    ...{ resource, scope: `${scope} offline_access`, prompt: "consent" },
    state: crypto.randomUUID(),
  });
  return (await cli.redeem(lab, code, { resource })).body;
}

/** Refreshes the tokens of a client of the MCP server. */
export async function refreshMcp(lab: TestLab, refreshToken: string): Promise<Tokens> {
  return (await cli.refresh(lab, refreshToken)).body;
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
  const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
  return (await registerAt(lab, { client_name: "Notes", ...metadata, ...changes })).body.client_id;
}

/** Begins a device flow, and polls again after each of some spans of time. */
export async function pollAfter(lab: TestLab, ...spans: readonly Duration[]): Promise<string[]> {
  const { body } = await cli.sendForm(lab, "/oauth2/device_authorization", { scope: "read" });
  const errors = [];
  for (const span of ["0s", ...spans] as const) {
    lab.clock.advance(span);
    const polled = await cli.token(lab, {
      grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      device_code: String(body.device_code),
    });
    errors.push(String(polled.body.error));
  }
  return errors;
}

/** Asks for tokens with proofs, each of which has one of some nonces, or none. */
export async function askWithNonces(
  lab: TestLab,
  ...nonces: ReadonlyArray<string | undefined>
): Promise<void> {
  const url = `${lab.issuer}/oauth2/token`;
  for (const nonce of nonces) {
    const changes = { claims: { nonce }, now: lab.clock.now() };
    const DPoP = await makeProof(await proofKey(), "POST", url, changes);
    await cli.token(lab, { grant_type: "refresh_token", refresh_token: "unknown" }, { DPoP });
  }
}
