import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { authorizationUrl } from "../../support/login.ts";
import { mintForMcp } from "../../support/mcp.ts";
import { login, openLibrary, optionsFor } from "./library_login.ts";

const service = (lab: TestLab, signal?: AbortSignal) =>
  openLibrary(lab, {
    client: "demo-service",
    auth: oauth.ClientSecretBasic("demo-service-secret"),
    signal,
  });

/** How a client library meets each endpoint. */
export const calls = {
  authorize: (lab: TestLab) => lab.authorize(authorizationUrl(lab), { user: "alice" }),
  metadata: (lab: TestLab) => openLibrary(lab),
  async token(lab: TestLab, signal?: AbortSignal) {
    return await (await service(lab, signal)).clientCredentials({});
  },
  async userinfo(lab: TestLab) {
    const { userinfo } = await openLibrary(lab);
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid profile" });
    return await userinfo(access_token);
  },
  async introspect(lab: TestLab) {
    const { introspect } = await service(lab);
    return await introspect((await lab.mint({ sub: "alice" })).access_token);
  },
  async revoke(lab: TestLab) {
    await (await service(lab)).revoke("a-token");
  },
  async register(lab: TestLab) {
    const metadata = { redirect_uris: ["https://app.example/cb"] };
    return await (await openLibrary(lab)).register(metadata);
  },
  async par(lab: TestLab) {
    return await (await openLibrary(lab)).push(new URL(authorizationUrl(lab)).searchParams);
  },
  async ciba(lab: TestLab) {
    const { server, client, options } = await openLibrary(lab, { client: "demo-agent" });
    const response = await oauth.backchannelAuthenticationRequest(
      ...[server, client, oauth.ClientSecretBasic("demo-agent-secret")] as const,
      { scope: "openid", login_hint: "alice" },
      options,
    );
    return await oauth.processBackchannelAuthenticationResponse(server, client, response);
  },
  async device(lab: TestLab) {
    return await (await openLibrary(lab, { client: "demo-cli" })).beginDevice({ scope: "read" });
  },
  jwks: (lab: TestLab) => login(lab),
  async mcp(lab: TestLab) {
    const versionNegotiation = { mode: { pin: "2026-07-28" } };
    const client = new Client({ name: "notes", version: "1.0.0" }, { versionNegotiation });
    const headers = { Authorization: `Bearer ${await mintForMcp(lab)}` };
    const transport = { fetch: lab.fetch as typeof fetch, requestInit: { headers } };
    await client.connect(new StreamableHTTPClientTransport(new URL(lab.mcp().url), transport));
    return await client.callTool({ name: "whoami" });
  },
  async resource_metadata(lab: TestLab) {
    const resource = new URL(`${lab.issuer}/mcp`);
    const response = await oauth.resourceDiscoveryRequest(resource, optionsFor(lab));
    return await oauth.processResourceDiscoveryResponse(resource, response);
  },
};

/** What each endpoint can do instead of its work. */
export const misdeeds = [
  "server_error",
  "unavailable",
  "too_many_requests",
  "dropped",
  "html",
  "malformed_json",
  "redirect",
];
