import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import type { TestLab } from "../../../src/lab/testing/mod.ts";
import { authorizationUrl } from "../../support/login.ts";
import { mintForMcp } from "../../support/mcp.ts";
import { discover, login, options } from "./library_login.ts";

const service: oauth.Client = { client_id: "demo-service" };
const secret = oauth.ClientSecretBasic("demo-service-secret");

/** How a client library meets each endpoint. */
export const calls = {
  authorize: (lab: TestLab) => lab.authorize(authorizationUrl(lab), { user: "alice" }),
  metadata: (lab: TestLab) => discover(lab),
  async token(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const answer = await oauth.clientCredentialsGrantRequest(
      server,
      service,
      secret,
      {},
      options(lab, signal),
    );
    return await oauth.processClientCredentialsResponse(server, service, answer);
  },
  async userinfo(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const { access_token } = await lab.mint({ sub: "alice", scope: "openid profile" });
    const answer = await oauth.userInfoRequest(
      server,
      { client_id: "demo-spa" },
      access_token,
      options(lab, signal),
    );
    return await oauth.processUserInfoResponse(server, { client_id: "demo-spa" }, "alice", answer);
  },
  async introspect(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const { access_token } = await lab.mint({ sub: "alice" });
    const answer = await oauth.introspectionRequest(
      server,
      service,
      secret,
      access_token,
      options(lab, signal),
    );
    return await oauth.processIntrospectionResponse(server, service, answer);
  },
  async revoke(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const answer = await oauth.revocationRequest(
      server,
      service,
      secret,
      "a-token",
      options(lab, signal),
    );
    return await oauth.processRevocationResponse(answer);
  },
  async register(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const metadata = { redirect_uris: ["https://app.example/cb"] };
    const answer = await oauth.dynamicClientRegistrationRequest(
      server,
      metadata,
      options(lab, signal),
    );
    return await oauth.processDynamicClientRegistrationResponse(answer);
  },
  async par(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const parameters = new URL(authorizationUrl(lab)).searchParams;
    const client = { client_id: "demo-spa" };
    const answer = await oauth.pushedAuthorizationRequest(
      server,
      client,
      oauth.None(),
      parameters,
      options(lab, signal),
    );
    return await oauth.processPushedAuthorizationResponse(server, client, answer);
  },
  async ciba(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const agent = { client_id: "demo-agent" };
    const answer = await oauth.backchannelAuthenticationRequest(
      server,
      agent,
      oauth.ClientSecretBasic("demo-agent-secret"),
      { scope: "openid", login_hint: "alice" },
      options(lab, signal),
    );
    return await oauth.processBackchannelAuthenticationResponse(server, agent, answer);
  },
  async device(lab: TestLab, signal?: AbortSignal) {
    const server = await discover(lab);
    const client = { client_id: "demo-cli" };
    const answer = await oauth.deviceAuthorizationRequest(server, client, oauth.None(), {
      scope: "read",
    }, options(lab, signal));
    return await oauth.processDeviceAuthorizationResponse(server, client, answer);
  },
  jwks: (lab: TestLab) => login(lab),
  async mcp(lab: TestLab) {
    const client = new Client({ name: "notes", version: "1.0.0" }, {
      versionNegotiation: { mode: { pin: "2026-07-28" } },
    });
    const headers = { Authorization: `Bearer ${await mintForMcp(lab)}` };
    const fetchLab = lab.fetch as typeof fetch;
    await client.connect(
      new StreamableHTTPClientTransport(new URL(lab.mcp().url), {
        fetch: fetchLab,
        requestInit: { headers },
      }),
    );
    return await client.callTool({ name: "whoami" });
  },
  async resource_metadata(lab: TestLab, signal?: AbortSignal) {
    const resource = new URL(`${lab.issuer}/mcp`);
    const answer = await oauth.resourceDiscoveryRequest(resource, options(lab, signal));
    return await oauth.processResourceDiscoveryResponse(resource, answer);
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
