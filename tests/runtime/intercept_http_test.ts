import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertNotMatch,
  assertRejects,
  assertThrows,
} from "@std/assert";
import { once } from "node:events";
import http, { type IncomingMessage, type RequestOptions } from "node:http";
import https, { get } from "node:https";
import { describe } from "node:test";
import { intercept } from "../../src/lab/testing/intercept.ts";
import { hallpass, LabError } from "../../src/lab/testing/mod.ts";
import { itWith } from "../support/it_with.ts";
import { listen } from "../support/listen.ts";
import { needs } from "../support/where_feature.ts";

/** Opens a lab that gets the requests of this process until it is closed. */
async function openIntercepting() {
  const lab = await hallpass();
  lab.intercept({ http: true });
  return lab;
}

const it = itWith({
  intercepted: openIntercepting,
  inLab: hallpass,
  interceptedWithFaults: { ...needs("faults"), open: openIntercepting },
});

/** Sends a request as a library above `node:http` does, and reads the whole response. */
async function send(
  url: string,
  options: RequestOptions = {},
  body = "",
): Promise<{ status: number | undefined; text: string; headers: IncomingMessage["headers"] }> {
  const { request } = url.startsWith("https:") ? https : http;
  const sent = request(url, options);
  sent.end(body);
  const [response] = await once(sent, "response");
  let text = "";
  for await (const chunk of response) text += chunk;
  return { status: response.statusCode, text, headers: response.headers };
}

describe('lab.intercept({ others: "error" })', () => {
  it("fails requests for any other host where they are sent, before the network", async () => {
    const reached: string[] = [];
    await using server = await listen(http.createServer(({ url = "" }, response) => {
      reached.push(url);
      response.end();
    }));
    const { port } = server;
    const [url, allow] = [`http://127.0.0.1:${port}`, [`127.0.0.1:${port}`]];
    await using lab = await hallpass();
    async function escapingTest() {
      await fetch("https://accounts.google.com/");
    }
    {
      using _ = lab.intercept({ http: true, others: "error" });
      const { stack = "" } = await assertRejects(escapingTest, LabError, "accounts.google.com");
      assertMatch(stack, /escapingTest/);
      await assertRejects(() => fetch(`${url}/fetch`), LabError, `allow: ["${allow}"]`);
      await assertRejects(() => send(`${url}/http`), LabError, `allow: ["${allow}"]`);
      const refused = once(get("https://accounts.google.com/"), "response");
      await assertRejects(() => refused, LabError, "accounts.google.com");
      for (const seen of [`${lab.issuer}/health`, "data:,text"]) await (await fetch(seen)).text();
      using _allowed = lab.intercept({ others: "error", allow });
      await (await fetch(`${url}/allowed`)).text();
      assertEquals((await send(`${url}/allowed`)).status, 200);
      assertEquals((await send(`${lab.issuer}/health`)).status, 200);
      await assertRejects(() => send("http://localhost/"), LabError, "localhost");
    }
    assertEquals((await send(`${url}/after`)).status, 200);
    await (await fetch(`${url}/after`)).text();
    assertEquals(reached, ["/allowed", "/allowed", "/after", "/after"]);
  });

  it.inLab("warns of each host once, because an application may hide the error", async (lab) => {
    const warned: string[] = [];
    const original = console.warn;
    console.warn = (message: string) => void warned.push(message);
    {
      using _ = lab.intercept({ others: "error" });
      for (const path of ["/one", "/two"]) {
        await send(`https://idp.example${path}`).catch(() => {});
        await fetch(`https://idp.example${path}`).catch(() => {});
      }
    }
    console.warn = original;
    assertEquals(warned.length, 1);
    assertMatch(warned[0] ?? "", /^hallpass: A request for https:\/\/idp\.example would leave/);
  });

  it("fails a request that an allowed host redirects to another", async () => {
    await using server = await listen(http.createServer(({ headers: { host = "" } }, response) => {
      const Location = `http://${host.replace("127.0.0.1", "localhost")}/`;
      response.writeHead(host.startsWith("127.0.0.1") ? 302 : 204, { Location }).end();
    }));
    await using lab = await hallpass();
    using _ = lab.intercept({ others: "error", allow: ["127.0.0.1"] });
    const { port } = server;
    await assertRejects(() => fetch(`http://127.0.0.1:${port}/`), LabError, "localhost");
  });

  const malformed = [
    ["http://localhost:3417", '"localhost:3417"'],
    ["https://app.example/callback", '"app.example"'],
    ["localhost:3417/", '"localhost:3417"'],
    ["LOCALHOST", '"localhost"'],
    ["", '"localhost:3000"'],
  ] as const;

  for (const [allow, form] of malformed) {
    it.inLab(`refuses what is no host in allow: '${allow}'`, (lab) => {
      const original = globalThis.fetch;
      const attempt = () => lab.intercept({ others: "error", allow: ["[::1]:3000", allow] });
      assertThrows(attempt, LabError, `allow: [${form}]`);
      assertEquals(globalThis.fetch, original);
    });
  }

  it.inLab("allows all ports of a host that is named without one", async (lab) => {
    using _ = lab.intercept({ others: "error", allow: ["127.0.0.1"] });
    const { message } = await assertRejects(() => fetch("http://127.0.0.1:1/"), TypeError);
    assertNotMatch(message, /would leave/);
  });
});

describe("lab.intercept({ http: true })", () => {
  for (const issuer of ["https://hallpass.test", "http://idp.test:8080/tenant"]) {
    it(`leads requests for ${issuer} to the lab`, async () => {
      await using lab = await hallpass({ issuer, insecure: { httpIssuer: true } });
      using _ = lab.intercept({ http: true });
      const { status, text } = await send(`${issuer}/health`);
      assertEquals([status, JSON.parse(text).issuer], [200, issuer]);
    });
  }

  it.intercepted("replaces https.get for those who have imported it already", async (lab) => {
    const [response] = await once(get(`${lab.issuer}/oauth2/jwks`), "response");
    assertEquals(response.statusCode, 200);
    response.resume();
  });

  it.intercepted("sends bodies, in chunks as well, and headers that repeat", async (lab) => {
    const request = https.request(`${lab.issuer}/oauth2/token`, {
      method: "POST",
      auth: "demo-service:demo-service-secret",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    request.write("grant_type=client_");
    await new Promise((resolve) => setTimeout(resolve, 5));
    request.end("credentials");
    const [response] = await once(request, "response");
    assertEquals(response.statusCode, 200);
    response.resume();
    const { headers } = await send(`${lab.issuer}/`);
    assertMatch(headers["set-cookie"]?.join() ?? "", /^__Host-hallpass/);
  });

  it.intercepted("leaves no listener on a connection that is used again", async (lab) => {
    const counts: number[] = [];
    for (let n = 0; n < 3; n++) {
      const request = https.get(`${lab.issuer}/oauth2/jwks`, { timeout: 5000 });
      const [response] = await once(request, "response");
      const { socket } = response;
      await once(response.resume(), "end");
      await new Promise((resolve) => setTimeout(resolve));
      counts.push(socket.listenerCount("timeout"));
    }
    assertEquals(new Set(counts).size, 1, counts.join());
  });

  for (
    const [what, create] of [
      ["keep-alive", () => new https.Agent({ keepAlive: true, maxSockets: 1 })],
      ["no keep-alive", () => new https.Agent()],
    ] as const
  ) {
    it(`works with an agent with ${what}, many times`, async () => {
      const agent = create();
      await using lab = await hallpass();
      using _ = lab.intercept({ http: true });
      const all = Array.from({ length: 20 }, () => send(`${lab.issuer}/health`, { agent }));
      assertEquals(new Set((await Promise.all(all)).map(({ status }) => status)).size, 1);
      for (let n = 0; n < 3; n++) {
        assertEquals((await send(`${lab.issuer}/health`, { agent })).status, 200);
      }
      agent.destroy();
    });
  }

  it.intercepted("works with agent: false", async (lab) => {
    assertEquals((await send(`${lab.issuer}/health`, { agent: false })).status, 200);
  });

  it.interceptedWithFaults("ends a request that is aborted, or too slow, and goes on", async (lab) => {
    lab.fault("userinfo.slow", { delay: 60, times: 2 });
    const aborted = new AbortController();
    const first = send(`${lab.issuer}/oauth2/userinfo`, { signal: aborted.signal });
    setTimeout(() => aborted.abort(), 20);
    await assertRejects(() => first, Error, "aborted");
    const slow = https.get(`${lab.issuer}/oauth2/userinfo`, { timeout: 20 });
    slow.on("timeout", () => slow.destroy(new Error("too slow")));
    await assertRejects(() => once(slow, "response"), Error, "too slow");
    assertEquals((await send(`${lab.issuer}/health`)).status, 200);
  });

  it("passes on that the client gave up", async () => {
    const [reached, gaveUp] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const respond = async ({ signal }: Request) => {
      signal.addEventListener("abort", () => gaveUp.resolve());
      reached.resolve();
      await gaveUp.promise;
      return new Response();
    };
    using _ = intercept(["https://slow.test"], respond, { http: true });
    const aborted = new AbortController();
    const sent = send("https://slow.test/", { signal: aborted.signal });
    await reached.promise;
    aborted.abort();
    await assertRejects(() => sent, Error, "aborted");
    await gaveUp.promise;
  });

  it.intercepted("breaks the connection where a fault does", needs("faults"), async (lab) => {
    lab.fault("jwks.dropped", { times: 1 });
    await assertRejects(() => send(`${lab.issuer}/oauth2/jwks`), Error, "socket hang up");
    assertEquals((await send(`${lab.issuer}/oauth2/jwks`)).status, 200);
  });

  it("leaves other hosts, and everything after the end, to the network", async () => {
    const network = http.createServer((_request, response) => response.end("network"));
    await using server = await listen(network);
    const { port } = server;
    await using lab = await hallpass({ issuer: `http://localhost:${port}` });
    const interception = lab.intercept({ http: true });
    assertEquals((await send(`http://127.0.0.1:${port}/health`)).text, "network");
    assert((await send(`http://localhost:${port}/health`)).text.includes("issuer"));
    const { addRequest } = http.Agent.prototype as { addRequest?: unknown };
    interception.restore();
    assertNotEquals((http.Agent.prototype as { addRequest?: unknown }).addRequest, addRequest);
    assertEquals((await send(`http://localhost:${port}/health`)).text, "network");
  });

  it("tells two labs apart, each until its own end", async () => {
    await using one = await hallpass({ issuer: "https://one.test" });
    await using two = await hallpass({ issuer: "https://two.test" });
    const first = one.intercept({ http: true });
    using _ = two.intercept({ http: true });
    assertEquals(JSON.parse((await send("https://one.test/health")).text).issuer, one.issuer);
    first.restore();
    assertEquals(JSON.parse((await send("https://two.test/health")).text).issuer, two.issuer);
  });

  it.intercepted("intercepts the global fetch as well", async (lab) => {
    assertEquals((await fetch(`${lab.issuer}/health`)).status, 200);
  });
});

describe("lab.intercept({ http: true }) where agents cannot be replaced", () => {
  it.inLab("explains what it needs, and changes nothing", (lab) => {
    const { fetch } = globalThis;
    const agents = http.Agent.prototype as { addRequest?: unknown };
    const { addRequest } = agents;
    agents.addRequest = undefined;
    try {
      assertThrows(() => lab.intercept({ http: true }), LabError, "cannot replace node:http here");
      assertEquals(globalThis.fetch === fetch, true);
    } finally {
      agents.addRequest = addRequest;
    }
  });
});
