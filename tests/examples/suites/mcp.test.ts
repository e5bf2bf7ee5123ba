// The scenarios of the MCP conformance suite for authorization servers, and those for servers.
import { createServer, request as sendRequest } from "node:http";
import { after, before, describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { present } from "../../support/present.ts";
import { freePort, type KnownReasons, reportChecks, runConformance } from "./mcp_conformance.ts";
import { authorize, issuer, register } from "./running_server.ts";

/** A lab in which Alice signs in by herself. */
const lab = present(process.env.HALLPASS_LAB);

/** An authorization server, and how the suite becomes its client. */
interface Target {
  issuer: string;
  resource: string;
  /** Returns the id of a public client: where a server knows these, the suite sends no secret. */
  clientFor(redirectUri: string): Promise<string>;
  signIn(url: string): Promise<unknown>;
}

const targets: Record<string, Target> = {
  "hallpass serve, with the profile mcp": {
    issuer,
    resource: "https://mcp.example/mcp",
    async clientFor(redirectUri) {
      const { client_id } = await register({
        redirect_uris: [redirectUri],
        application_type: "native",
        token_endpoint_auth_method: "none",
      });
      return client_id;
    },
    signIn: async (url) => await openCallback(await authorize(url)),
  },
  "hallpass lab": {
    issuer: lab,
    resource: `${lab}/mcp`,
    clientFor: async () => "demo-cli",
    signIn: async (url) => {
      const { headers } = await fetch(url, { redirect: "manual" });
      await openCallback(new URL(headers.get("Location") ?? url));
    },
  },
};

/** Opens a callback of the suite, which prints where to sign in before it listens there. */
async function openCallback(url: URL): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      await fetch(url);
      return;
    } catch (cause) {
      if (tries === 100) throw cause;
      await setTimeout(100);
    }
  }
}

describe("An authorization server", () => {
  for (const [name, { issuer, resource, clientFor, signIn }] of Object.entries(targets)) {
    for (const named of [undefined, resource]) {
      it(`of ${name} passes, with ${named ? "a resource" : "no resource"}`, async (context) => {
        const port = await freePort();
        const options = {
          url: issuer,
          port: `${port}`,
          "client-id": await clientFor(`http://127.0.0.1:${port}/callback`),
          ...named && { resource: named },
        };
        const checks = await runConformance("authorization", options, async (line) => {
          if (line.startsWith(`${issuer}/oauth2/authorize?`)) await signIn(line);
        });
        await reportChecks(context, checks);
      });
    }
  }
});

const noTool = "the lab has no such tool";
const noSubscriptions = "the lab announces no changes, so there are no subscriptions";
const scenarios: Record<string, KnownReasons> = {
  "server-initialize": {},
  ping: {},
  "tools-list": {},
  "http-header-validation": {},
  "dns-rebinding-protection": {},
  "server-stateless": {
    "sep-2575-http-server-no-independent-requests-on-stream":
      `${noTool}: test_streaming_elicitation`,
    "sep-2575-missing-capability-http-400": `${noTool}: test_missing_capability`,
    "sep-2575-server-rejects-undeclared-capability": `${noTool}: test_missing_capability`,
    "sep-2575-server-no-log-without-loglevel": `${noTool}: test_logging_tool`,
    "sep-2575-server-sends-subscription-ack": noSubscriptions,
    "sep-2575-server-tags-subscription-id": noSubscriptions,
    "sep-2575-server-honors-notification-filter": noSubscriptions,
    "sep-2575-server-sends-prompts-list-changed-on-subscription": noSubscriptions,
    "sep-2575-server-sends-tools-list-changed-on-subscription": noSubscriptions,
  },
  "input-required-result-unsupported-methods": {},
};

describe("The MCP server of a lab", () => {
  let proxy: Proxy;
  before(async () => void (proxy = await openProxy()));
  after(() => proxy.close());
  for (const [scenario, known] of Object.entries(scenarios)) {
    it(`passes ${scenario}`, async (context) => {
      const checks = await runConformance("server", { url: proxy.url, scenario });
      await reportChecks(context, checks, known);
    });
  }
});

describe("The tools of agents, an MCP server as well", () => {
  const more = ["resources-list", "prompts-list", "caching", "sep-2164-resource-not-found"];
  const all = { ...scenarios, ...Object.fromEntries(more.map((name) => [name, {}])) };
  for (const [scenario, known] of Object.entries(all)) {
    it(`pass ${scenario}`, async (context) => {
      const checks = await runConformance("server", { url: `${lab}/lab/mcp`, scenario });
      await reportChecks(context, checks, known);
    });
  }
});

/** A server in front of the lab. */
interface Proxy {
  url: string;
  close(): void;
}

/** Listens in front of the lab, and adds an access token: the suite has none for servers. */
async function openProxy(): Promise<Proxy> {
  const { host, hostname, port } = new URL(lab);
  const token = await mintToken();
  const server = createServer((incoming, response) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${token}` };
    // Other hosts and origins are those of an attack, which the lab must see.
    if (headers.host === new URL(url).host) headers.host = host;
    if (headers.origin === new URL(url).origin) headers.origin = lab;
    const { method, url: path } = incoming;
    const forwarded = sendRequest({ hostname, port, method, path, headers }, (received) => {
      response.writeHead(received.statusCode ?? 502, received.headers);
      received.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  const proxyPort = await freePort();
  const url = `http://localhost:${proxyPort}/mcp`;
  await new Promise<void>((resolve) => server.listen(proxyPort, "localhost", resolve));
  return { url, close: () => void server.close() };
}

async function mintToken(): Promise<string> {
  const response = await fetch(`${lab}/lab/tokens`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ sub: "alice", scope: "read write", audience: `${lab}/mcp` }),
  });
  return (await response.json()).access_token;
}
