import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { serve, type ServedApplication } from "../../src/runtime/serve.ts";
import { createServer, type Server } from "../../src/server/mod.ts";
import { openRawConnection } from "../support/raw_connection.ts";
import { serving } from "./serving.ts";

/** Sends raw bytes, and returns the status line that comes, or nothing. */
async function statusLineFor(port: number, text: string): Promise<string> {
  const connection = await openRawConnection(port);
  connection.send(text);
  await Promise.race([connection.until(/\r\n/), connection.ended]);
  connection.destroy();
  return connection.received().split("\r\n", 1)[0] ?? "";
}

const guard: Server["fetch"] = async () => new Response(null, { status: 403 });

/** An operator's own class around a server. */
class GuardedServer {
  readonly server: Server;

  constructor(server: Server) {
    this.server = server;
  }

  fetch(request: Request): Promise<Response> {
    return request.url.includes("/health") ? guard(request) : this.server.fetch(request);
  }
}

/** The ways in which an operator may put a guard around a server. */
const guardedServers: Record<string, (server: Server) => ServedApplication> = {
  "a copy": (server) => ({ ...server, fetch: guard }),
  "assignment": (server) => Object.assign(server, { fetch: guard }),
  "a definition": (server) => Object.defineProperty(server, "fetch", { value: guard }),
  "Object.create": (server) => Object.create(server, { fetch: { value: guard } }),
  "a class that delegates": (server) => new GuardedServer(server),
  "a proxy of the server": (server) =>
    new Proxy(server, {
      get: (target, name) => name === "fetch" ? guard : Reflect.get(target, name),
    }),
  "a proxy of its fetch": (server) => ({
    fetch: new Proxy(server.fetch, { apply: () => new Response(null, { status: 403 }) }),
  }),
  "a function with the members of its fetch": (server) => ({
    fetch: Object.assign((request: Request) => guard(request), server.fetch),
  }),
  "a function with its fetch as prototype": (server) => ({
    fetch: Object.setPrototypeOf((request: Request) => guard(request), server.fetch),
  }),
};

describe("serve", () => {
  it("sends several Set-Cookie headers", async () => {
    const headers = new Headers([["Set-Cookie", "a=1"], ["Set-Cookie", "b=2; Path=/"]]);
    await serving(async () => new Response("x", { headers }), async (port) => {
      const response = await fetch(`http://localhost:${port}/`);
      await response.text();
      assertEquals(response.headers.getSetCookie(), ["a=1", "b=2; Path=/"]);
    });
  });

  for (const [how, guarded] of Object.entries(guardedServers)) {
    it(`Q1: is guarded by the fetch that replaces the one of a server: ${how}`, async () => {
      const server = createServer({ issuer: "http://localhost:9000" });
      await serving(guarded(server), async (port) => {
        const response = await fetch(`http://localhost:${port}/health`);
        await response.text();
        assertEquals(response.status, 403);
      });
    });
  }

  it("Q1: calls a fetch that is a method with its application, whenever it is replaced", async () => {
    const application = {
      status: 201,
      async fetch() {
        return new Response(null, { status: this.status });
      },
    };
    await serving(application, async (port) => {
      const statuses: number[] = [];
      for (let n = 0; n < 2; n++) {
        const response = await fetch(`http://localhost:${port}/`);
        await response.text();
        statuses.push(response.status);
        application.fetch = async () => new Response(null, { status: 202 });
      }
      assertEquals(statuses, [201, 202]);
    });
  });

  it("sends each header as the fetch of a server returns it", async () => {
    const server = createServer({ issuer: "http://localhost:9000" });
    await serving(server, async (port) => {
      const path = "/.well-known/openid-configuration";
      const sent = await fetch(`http://localhost:${port}${path}`);
      await sent.text();
      const { headers } = await server.fetch(new Request(`http://localhost:9000${path}`));
      const names = [...headers.keys()];
      assert(names.includes("content-type"));
      assertEquals(names.map((name) => sent.headers.get(name)), [...headers.values()]);
    });
  });

  it("names the length of what a GET would send in response to HEAD (RFC 9110, 8.6)", async () => {
    await serving(createServer({ issuer: "http://localhost:9000" }), async (port) => {
      const url = `http://localhost:${port}/health`;
      const { length } = await (await fetch(url)).text();
      const { headers } = await fetch(url, { method: "HEAD" });
      assertEquals(headers.get("Content-Length"), String(length));
    });
  });

  it("sends a stream piece by piece", async () => {
    const gate = Promise.withResolvers<void>();
    const body = () =>
      new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode("first"));
          await gate.promise;
          controller.enqueue(new TextEncoder().encode("second"));
          controller.close();
        },
      });
    await serving(async () => new Response(body()), async (port) => {
      const reader = (await fetch(`http://localhost:${port}/`)).body!.getReader();
      assertEquals(new TextDecoder().decode((await reader.read()).value), "first");
      gate.resolve();
      assertEquals(new TextDecoder().decode((await reader.read()).value), "second");
      await reader.read();
    });
  });

  it("aborts the signal when the peer disconnects", async () => {
    const gone = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const answer = async (request: Request) => {
      request.signal.addEventListener("abort", () => gone.resolve());
      arrived.resolve();
      await gone.promise;
      return new Response(null);
    };
    await serving(answer, async (port) => {
      const socket = connect(port, "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await arrived.promise;
      socket.destroy();
      await gone.promise;
    });
  });

  it("responds with an empty 500 if the handler throws", async () => {
    await serving(() => Promise.reject(new Error("a secret")), async (port) => {
      const response = await fetch(`http://localhost:${port}/`);
      assertEquals([response.status, await response.text()], [500, ""]);
    });
  });

  const application: ServedApplication = { fetch: async () => new Response(null) };
  for (const options of [{ port: 0 }, { port: 0, hostname: "::1" }]) {
    const names = Object.keys(options).join(", ");
    it(`X6: refuses options in the first argument: ${names}`, async () => {
      const call = async () => await serve({ ...application, ...options });
      const { message } = await assertRejects(call, TypeError);
      assertEquals(
        message,
        `Cannot listen: options belong in the second argument: serve(server, { ${names} }).`,
      );
    });
  }

  it("reports that a port is in use", async () => {
    await serving(async () => new Response(null), async (port) => {
      const cause = await serve({ fetch: async () => new Response(null) }, { port }).catch((
        cause,
      ) => cause);
      assertEquals(cause.code, "EADDRINUSE");
    });
  });
});

describe("A listening server and malformed bytes", () => {
  const lab = createServer({ issuer: "http://localhost:9000" });
  const cases: Record<string, [text: string, statuses: RegExp]> = {
    "a host that is none": [
      "GET /health HTTP/1.1\r\nHost: [::\r\nConnection: close\r\n\r\n",
      /^HTTP\/1.1 400|^$/,
    ],
    "a host with an escape": [
      "GET /health HTTP/1.1\r\nHost: %zz\r\nConnection: close\r\n\r\n",
      /^HTTP\/1.1 400|^$/,
    ],
    "a host with a path": [
      "GET /health HTTP/1.1\r\nHost: evil/x\r\nConnection: close\r\n\r\n",
      /^HTTP\/1.1 400|^$/,
    ],
    "no host": ["GET /health HTTP/1.1\r\nConnection: close\r\n\r\n", /^HTTP\/1.1 [24]00|^$/],
    "huge headers": [
      `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${
        "a".repeat(300_000)
      }\r\nConnection: close\r\n\r\n`,
      /^HTTP\/1.1 4\d\d|^$/,
    ],
    "a huge address": [
      `GET /${"a".repeat(300_000)} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
      /^HTTP\/1.1 4\d\d|^$/,
    ],
    "CONNECT": [
      "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
      /^HTTP\/1.1 4\d\d|^$/,
    ],
    "bytes that are not HTTP": ["\u0000\u0001\u0002\r\n\r\n", /^HTTP\/1.1 400|^$/],
    "a body in malformed chunks": [
      "POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      /^HTTP\/1.1 4\d\d|^$/,
    ],
    "a null in the path": [
      "GET /%00 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
      /^HTTP\/1.1 404/,
    ],
  };
  for (const [what, [text, statuses]] of Object.entries(cases)) {
    it(`responds to ${what} with 4xx, or not at all`, async () => {
      await serving(
        lab.fetch,
        async (port) => assertMatch(await statusLineFor(port, text), statuses),
      );
    });
  }

  // Bun resolves a path before the server sees it, and begins /\\health with two slashes.
  const paths: Array<[path: string, onBun: number]> = [
    ["/x/../health", 200],
    ["/./health", 200],
    ["/x/%2e%2E/health", 200],
    ["/x\\..\\health", 200],
    ["/\\health", 404],
  ];
  for (const [path, onBun] of paths) {
    it(`refuses the path ${path}, which a proxy in front of it reads in another way`, async () => {
      await serving(lab.fetch, async (port) => {
        const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
        const [, status] = (await statusLineFor(port, text)).split(" ");
        assertEquals(status, `${"Bun" in globalThis ? onBun : 400}`);
      });
    });

    it(`Q13: says of the path ${path} what is wrong with it`, async () => {
      if ("Bun" in globalThis) return;
      await serving(lab.fetch, async (port) => {
        const connection = await openRawConnection(port);
        connection.send(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
        await connection.ended;
        assertMatch(connection.received(), /^HTTP\/1\.1 400 Bad Request\r\n/);
        assertMatch(connection.received(), /"The path must have no dot segment and no backslash/);
      });
    });
  }

  it("responds to a path whose names begin with dots", async () => {
    await serving(lab.fetch, async (port) => {
      const path = "/.well-known/openid-configuration?next=/../a";
      const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      assertMatch(await statusLineFor(port, text), /^HTTP\/1.1 200/);
    });
  });

  it("responds with 413 to a body that is announced as too large, and serves the next request", async () => {
    await serving(lab.fetch, async (port) => {
      const body = "a".repeat(100_000);
      const response = await fetch(`http://localhost:${port}/oauth2/token`, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body,
      }).catch(() => undefined);
      await response?.text();
      assert(response === undefined || response.status === 413);
      const next = await fetch(`http://localhost:${port}/health`);
      assertEquals([next.status, (await next.json()).status], [200, "ok"]);
    });
  });
});
