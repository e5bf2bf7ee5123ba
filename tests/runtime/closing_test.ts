import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { type Listening, serve } from "../../src/runtime/serve.ts";
import { createApplication } from "../../src/server/http/application.ts";
import type { IncomingRequest } from "../../src/server/http/incoming_request.ts";
import type { ResponseData } from "../../src/server/http/response_data.ts";
import { itWith } from "../support/it_with.ts";
import {
  openRawConnection,
  type RawConnection,
  rawGet,
  rawPost,
} from "../support/raw_connection.ts";
import { needs } from "../support/where_feature.ts";

const it = itWith({ inServer: openServer });

/** Opens a server whose responses to `/slow` wait for the test. */
async function openServer() {
  const gate = Promise.withResolvers<void>();
  const arrived = Promise.withResolvers<void>();
  const paths: string[] = [];
  const application = createApplication(async (request) => {
    const { pathname } = new URL(request.url);
    paths.push(pathname);
    if (pathname !== "/") arrived.resolve();
    if (pathname === "/slow") await gate.promise;
    if (pathname === "/body") return plainText(`read ${await (await request.toRequest()).text()}`);
    if (pathname === "/limited") return await echo(request);
    return plainText("answered");
  });
  const listening = await serve(application, { port: 0, hostname: "127.0.0.1" });
  return {
    port: listening.port,
    /** The paths of the requests that have reached it. */
    paths,
    arrived: arrived.promise,
    release: gate.resolve,
    close: () => promptly(listening),
  };
}

/** Reads a body as the endpoints of a server do. */
async function echo(request: IncomingRequest): Promise<ResponseData> {
  const text = await request.text().catch(({ status }) => status);
  return typeof text === "string" ? plainText(`read ${text}`) : plainText("refused", text);
}

function plainText(body: string, status = 200): ResponseData {
  return { status, headers: [["Content-Type", "text/plain"]], body };
}

/** Closes a server; one that waits for the client's connection would never end. */
function promptly(listening: Pick<Listening, "close">): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("The server has not closed in 5 s.")), 5000);
  return Promise.race([listening.close(), promise]).finally(() => clearTimeout(timer));
}

/** Sends the next request as soon as a response has arrived, as a load test does. */
async function keepBusy({ send, until }: RawConnection, path = "/"): Promise<void> {
  for (let count = 1; count < 50; count++) {
    send(rawGet(path));
    await until(new RegExp(`(?:HTTP/1.1 [^]*){${count}}`));
  }
}

describe("A server that is being closed", () => {
  const idle: Array<[what: string, begin: (connection: RawConnection) => Promise<void> | void]> = [
    ["has sent nothing", () => {}],
    ["has sent half of a request", (connection) => connection.send("GET / HTTP/1.1\r\nHo")],
    ["is kept alive", async (connection) => {
      connection.send(rawGet());
      await connection.until(/answered/);
    }],
  ];
  for (const [what, begin] of idle) {
    it.inServer(`F2: closes a connection that ${what} without waiting for it`, async ({ port, close }) => {
      const connection = await openRawConnection(port);
      await begin(connection);
      await close();
      // Bun does not accept a connection before its first byte arrives (TCP_DEFER_ACCEPT).
      if ("Bun" in globalThis && what === "has sent nothing") connection.destroy();
      await connection.ended;
    });
  }

  it.inServer("F2: finishes a response in progress and marks it as the last one of its connection", async ({ port, arrived, release, close }) => {
    const connection = await openRawConnection(port);
    connection.send(rawGet("/slow"));
    await arrived;
    const closed = close();
    release();
    await Promise.all([closed, connection.ended]);
    assertMatch(connection.received(), /^HTTP\/1.1 200[^]*\r\nconnection: close\r\n[^]*answered/i);
  });

  it.inServer("finishes reading a body in progress", async ({ port, arrived, close }) => {
    const connection = await openRawConnection(port);
    connection.send(`${rawPost("/body", 6)}abc`);
    await arrived;
    const closed = close();
    connection.send("def");
    await Promise.all([closed, connection.ended]);
    assertMatch(connection.received(), /read abcdef/);
  });

  it.inServer("R7: refuses a body that does not arrive, and closes without waiting for the rest", async ({ port, arrived, close }) => {
    const connection = await openRawConnection(port);
    connection.send(`${rawPost("/limited", 6)}abc`);
    await arrived;
    const closed = close();
    await connection.until(/refused/);
    assertMatch(connection.received(), /^HTTP\/1.1 408 [^]*\r\nconnection: close\r\n/i);
    await closed;
    // Deno announces the end of the connection and lets the client close it.
    if ("Deno" in globalThis) connection.destroy();
    await connection.ended;
  });

  it.inServer("R6: serves every request that still reaches it while a body is arriving", async ({ port, paths, arrived, close }) => {
    const half = await openRawConnection(port);
    half.send(`${rawPost("/limited", 6)}abc`);
    await arrived;
    const closed = close();
    const late = await openRawConnection(port).catch(() => undefined);
    late?.send(rawGet());
    if (late) await Promise.race([late.until(/answered/), late.ended]);
    late?.destroy();
    half.send("def");
    await Promise.all([closed, half.ended]);
    // Deno cannot close its port before the body has arrived. Bun and Node do so a turn later, and
    // the system resets a connection that they have not accepted until then.
    if ("Deno" in globalThis) assertEquals(paths, ["/limited", "/"]);
    const expected = paths.includes("/") ? /^HTTP\/1.1 200 / : /^$/;
    assertMatch(late?.received() ?? "", expected);
    // Bun accepts a connection with its first byte, and has sent the header of this one by then.
    if (!("Bun" in globalThis) && late?.received()) {
      assertMatch(late.received(), /\nconnection: close/i);
    }
    assertMatch(half.received(), /read abcdef/);
  });

  it.inServer("F2: closes even if its connections are kept busy", async ({ port, arrived, release, close }) => {
    const slow = await openRawConnection(port);
    slow.send(rawGet("/slow"));
    await arrived;
    const busy = await openRawConnection(port);
    void keepBusy(busy);
    await busy.until(/answered/);
    const closed = close();
    release();
    await Promise.all([closed, slow.ended, busy.ended]);
    assertMatch(slow.received(), /answered/);
  });

  it("F11: closes a lab even if a connection is kept busy", needs("faults"), async () => {
    const lab = await hallpass({ listen: true });
    const slow = lab.fault("jwks.slow", { delay: "60s" });
    const connection = await openRawConnection(Number(new URL(lab.issuer).port));
    void keepBusy(connection, "/oauth2/jwks");
    while (slow.met === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await Promise.all([promptly(lab), connection.ended]);
    assertMatch(connection.received(), /^HTTP\/1.1 200 /);
  });
});

describe("A port that a lab has closed", () => {
  it("U8: serves the first request to the next lab, from the same process", async () => {
    const first = await hallpass({ listen: true });
    const port = Number(new URL(first.issuer).port);
    await (await fetch(`${first.issuer}/health`)).text();
    await first.close();
    for (let round = 1; round < 20; round++) {
      const lab = await hallpass({ listen: port });
      const response = await fetch(`${lab.issuer}/health`);
      await response.text();
      assertEquals(response.status, 200);
      await lab.close();
    }
  });
});

describe("The response to a request whose body was not read", () => {
  const bodies: Record<string, string> = {
    "has not arrived": rawPost("/nowhere", 1000),
    "has arrived in part": `${rawPost("/nowhere", 1000)}abc`,
    "arrives in chunks":
      "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
  };
  for (const [what, request] of Object.entries(bodies)) {
    it.inServer(`L12: is the last one of its connection if the body ${what}`, async ({ port, close }) => {
      const connection = await openRawConnection(port);
      connection.send(request);
      await connection.until(/answered/);
      assertMatch(connection.received(), /\r\nconnection: close\r\n/i);
      // Deno announces the end of the connection and lets the client close it.
      if ("Deno" in globalThis) connection.destroy();
      await connection.ended;
      await close();
    });
  }

  it.inServer("L12: does not delay closing", async ({ port, close }) => {
    const connection = await openRawConnection(port);
    connection.send(`${rawPost("/nowhere", 1000)}abc`);
    await connection.until(/answered/);
    await close();
    connection.destroy();
  });

  it.inServer("keeps the connection open if the request has no body", async ({ port, close }) => {
    const connection = await openRawConnection(port);
    connection.send(rawPost("/nowhere", 0) + rawGet());
    await connection.until(/answered[^]*answered/);
    assert(!/connection: close/i.test(connection.received()));
    await close();
    assertEquals(connection.received().match(/HTTP\/1.1 200/g)?.length, 2);
  });
});

describe("A slow request", () => {
  // Bun closes a silent connection after 10 to 12 seconds of real time.
  // Deno and Node have no such limit.
  const silence = "Bun" in globalThis ? 13_000 : 0;
  const wait = () => new Promise((resolve) => setTimeout(resolve, silence));

  /** Is silent before its response, or in the middle of it like a stream of events. */
  async function respond(request: Request): Promise<Response> {
    if (!request.url.endsWith("/events")) return await wait().then(() => new Response("answered"));
    const body = new ReadableStream<Uint8Array>({
      async start(controller) {
        controller.enqueue(new TextEncoder().encode(": listening\n\n"));
        await wait();
        controller.enqueue(new TextEncoder().encode("data: answered\n\n"));
        controller.close();
      },
    });
    return new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  }

  it("L12: gets its response however long its connection has been silent", async () => {
    const listening = await serve({ fetch: respond }, { port: 0, hostname: "127.0.0.1" });
    const connections = [
      await openRawConnection(listening.port),
      await openRawConnection(listening.port),
    ];
    for (const [at, path] of ["/", "/events"].entries()) connections[at]?.send(rawGet(path));
    await Promise.all(
      connections.map(({ until, ended }) => Promise.race([until(/answered/), ended])),
    );
    await listening.close();
    for (const { received } of connections) assertMatch(received(), /answered/);
  });
});
