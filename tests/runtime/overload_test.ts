import { assertEquals } from "@std/assert";
import process from "node:process";
import { describe } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { createDrainableHandler } from "../../src/runtime/drainable.ts";
import { platformResponse } from "../../src/runtime/listen.ts";
import { createServedHandler } from "../../src/runtime/served_handler.ts";
import { createApplication, overloadOf } from "../../src/server/http/application.ts";
import { createIncomingRequest } from "../../src/server/http/incoming_request.ts";
import { createServer } from "../../src/server/mod.ts";
import { itWith } from "../support/it_with.ts";

const issuer = "https://id.example/tenants/a";

/** Creates a server behind a proxy on its machine, and returns its policy with what it reported. */
function createPolicy() {
  const reported: unknown[] = [];
  const server = createServer({
    issuer,
    trustedProxies: "loopback",
    onEvent: (event) => void reported.push(event),
  });
  const policy = overloadOf(server.fetch);
  if (!policy) throw new Error("The server has no policy.");
  return { policy, reported };
}

/** Opens a listener whose requests take a tenth of a second each. */
function openBusyListener(pass: (ms: number) => void) {
  const { policy, reported } = createPolicy();
  const application = createApplication(async (request) => {
    pass(100);
    return { status: 200, headers: [], body: await request.text() };
  }, policy);
  const served = createServedHandler(application, { isStrict: true });
  const handler = createDrainableHandler(served.respond);
  const send = async (path: string, body?: string, headers: HeadersInit = {}) => {
    const init = body === undefined ? {} : { method: "POST", body, headers };
    const request = new Request(`${issuer}${path}`, init);
    return { request, response: platformResponse(await handler.respond(request, {})) };
  };
  return { send, reported, close: handler.drain };
}

/** Runs a test during which no time passes by itself. */
async function withoutTime(act: (pass: (ms: number) => void) => Promise<void>): Promise<void> {
  const { now } = performance;
  const { cpuUsage } = process;
  let time = 0;
  performance.now = () => time;
  process.cpuUsage = () => ({ user: time * 1000, system: 0 });
  await act((ms) => void (time += ms)).finally(() => {
    performance.now = now;
    process.cpuUsage = cpuUsage;
  });
}

const it = itWith({ withoutTime: { around: withoutTime } });

describe("A listener whose thread is overloaded", () => {
  it.withoutTime("V1: refuses a request with Retry-After, does not read its body, and keeps the connection", async (pass) => {
    const { send, close } = openBusyListener(pass);
    const sent = [send("/token", "first"), send("/token", "waits")];
    pass(500);
    const { request, response } = await send("/token", "refused");
    assertEquals([response.status, response.headers.get("Retry-After")], [503, "1"]);
    assertEquals([request.bodyUsed, response.headers.get("Connection")], [false, null]);
    assertEquals(response.headers.get("Strict-Transport-Security"), "max-age=31536000");
    assertEquals((await response.json()).error, "temporarily_unavailable");
    const statuses = (await Promise.all(sent)).map(({ response }) => response.status);
    assertEquals(statuses, [200, 503]);
    await close();
  });

  it.withoutTime("V1: closes the connection of a refused request whose body is long, or of unknown length", async (pass) => {
    const { send, close } = openBusyListener(pass);
    const sent = [send("/token", "first"), send("/token", "waits")];
    pass(500);
    const refusals = await Promise.all([
      send("/token", "short", { "Content-Length": "4096" }),
      send("/token", "long", { "Content-Length": "4097" }),
      send("/token", "any", { "Transfer-Encoding": "chunked" }),
    ]);
    const ends = refusals.map(({ response }) =>
      `${response.status} ${response.headers.get("Connection")}`
    );
    assertEquals(ends, ["503 null", "503 close", "503 close"]);
    await Promise.all(sent);
    await close();
  });

  it.withoutTime("V1: answers the probe before all others", async (pass) => {
    const { send } = openBusyListener(pass);
    const order: string[] = [];
    const note = async (path: string) => {
      await send(path);
      order.push(path);
    };
    await Promise.all(["/first", "/second", "/third", "/health"].map(note));
    assertEquals(order, ["/first", "/health", "/second", "/third"]);
  });

  it.withoutTime("V1: reports what it refused once a second", async (pass) => {
    const { send, reported } = openBusyListener(pass);
    const sent = [send("/first"), send("/second")];
    pass(500);
    await Promise.all([...sent, send("/third"), send("/fourth")]);
    assertEquals(reported, [{ type: "server.overloaded", requests: 1 }]);
    pass(1000);
    await send("/fifth");
    assertEquals(reported.slice(1), [{ type: "server.overloaded", requests: 2 }]);
  });
});

describe("What may be refused", () => {
  const probes: Array<[method: string, url: string, isProbe: boolean]> = [
    ["GET", `${issuer}/health`, true],
    ["GET", `${issuer}/health?x=1`, true],
    ["POST", `${issuer}/health`, false],
    ["GET", "https://id.example/health", false],
    ["GET", `${issuer}/oauth2/health`, false],
  ];
  for (const [method, url, isProbe] of probes) {
    it(`V1: ${isProbe ? "does not include" : "includes"} ${method} ${url}`, () => {
      const request = createIncomingRequest(new Request(url, { method }));
      assertEquals(createPolicy().policy.isProbe(request), isProbe);
    });
  }

  it("V1: counts a network as one sender, and looks through a trusted proxy", () => {
    const { senderOf } = createPolicy().policy;
    const forwarded = { headers: { "X-Forwarded-For": "2001:db8:1:2::3" } };
    const request = new Request(issuer, forwarded);
    const from = (peer?: string) => senderOf(createIncomingRequest(request, { peer }));
    assertEquals(from("127.0.0.1"), from("2001:db8:1:ffff::1"));
    assertEquals([from("203.0.113.1"), from()], ["203.0.113.1", undefined]);
  });

  it("V1: is nothing in a lab", async () => {
    assertEquals(overloadOf((await hallpass()).fetch), undefined);
  });
});
