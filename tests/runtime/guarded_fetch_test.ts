import { assert, assertEquals, assertRejects } from "@std/assert";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as listenForSockets, type Socket } from "node:net";
import { describe, it } from "node:test";
import { guardedFetch } from "../../src/runtime/serve.ts";
import { OutboundError } from "../../src/server/http/outbound_fetch.ts";
import { patience } from "../support/eventually.ts";
import { listen } from "../support/listen.ts";

/** A server on loopback that must not be reached and counts its connections. */
async function withServer(
  act: (port: number, connections: () => number) => Promise<void>,
  answer: (request: IncomingMessage, response: ServerResponse) => void = (_, response) =>
    response.end("secret"),
): Promise<void> {
  let connections = 0;
  await using server = await listen(
    createServer(answer).on("connection", () => connections++),
  );
  await act(server.port, () => connections);
}

/** A server that sends a text to each connection, or closes it without one. */
async function withSocket(reply: string, act: (port: number) => Promise<void>): Promise<void> {
  const sockets = new Set<Socket>();
  await using server = await listen(listenForSockets((socket) => {
    sockets.add(socket.on("error", () => {}));
    socket.once("data", () => reply === "" ? socket.end() : socket.write(reply));
  }));
  await act(server.port).finally(() => sockets.forEach((socket) => socket.destroy()));
}

/** Returns the outcome of a promise, or that it had none. */
async function unlessSilent(pending: Promise<string>): Promise<string> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<string>((resolve) =>
    timer = setTimeout(() => resolve("never settled"), patience)
  );
  return await Promise.race([pending, silence]).finally(() => clearTimeout(timer));
}

function request(changes: { method?: "GET" | "POST"; body?: string; signal?: AbortSignal } = {}) {
  return {
    method: "GET" as const,
    headers: {},
    redirect: "manual" as const,
    signal: new AbortController().signal,
    ...changes,
  };
}

describe("The guarded fetch", () => {
  const hosts = [
    "localhost",
    "127.0.0.1",
    "[::1]",
    "0.0.0.0",
    "[::ffff:127.0.0.1]",
    "2130706433",
    "0x7f.1",
    "0177.0.0.1",
    "[64:ff9b::7f00:1]",
  ];
  for (const host of hosts) {
    it(`CVE-2020-10770 CVE-2026-1180 CVE-2026-4874 CVE-2026-53513: does not connect to ${host}`, async () => {
      await withServer(async (port, connections) => {
        const attempt = () => guardedFetch()(`https://${host}:${port}/`, request());
        await assertRejects(attempt, OutboundError, "no public address");
        assertEquals(connections(), 0);
      });
    });
  }

  for (
    const address of [
      "127.0.0.1",
      "10.0.0.1",
      "169.254.169.254",
      "fd00:ec2::254",
      "::ffff:127.0.0.1",
    ]
  ) {
    it(`does not connect if a public name resolves to ${address}`, async () => {
      const resolve = async () => [address];
      const attempt = () => guardedFetch({ resolve })("https://rebound.example/", request());
      await assertRejects(attempt, OutboundError, "no public address");
    });
  }

  it("resolves a name once, so that it cannot change between the check and the connection", async () => {
    let lookups = 0;
    const resolve = async () => {
      lookups++;
      return ["127.0.0.1"];
    };
    await withServer(async (port) => {
      await assertRejects(() =>
        guardedFetch({ allowPrivate: true, resolve })(`https://rebound.example:${port}/`, request())
      );
      assertEquals(lookups, 1);
    });
  });

  for (
    const url of [
      "http://app.example/",
      "http://127.0.0.1/",
      "ftp://app.example/",
      "file:///etc/passwd",
      "data:text/plain,x",
    ]
  ) {
    it(`fetches nothing by ${url}`, async () => {
      await assertRejects(() => guardedFetch()(url, request()), OutboundError, "is not https");
    });
  }

  it("sends no user information", async () => {
    const attempt = () => guardedFetch()("https://user:pass@app.example/", request());
    await assertRejects(attempt, OutboundError, "user information");
  });
});

describe("The guarded fetch of a lab, which may connect to this machine", () => {
  const open = guardedFetch({ allowPrivate: true });

  it("F5: fetches by https alone below localhost, where a resolver may lead elsewhere", async () => {
    const attempt = () => open("http://app.localhost/", request());
    await assertRejects(attempt, OutboundError, "is not https");
  });

  it("fetches by http on loopback", async () => {
    await withServer(
      async (port) => {
        const response = await open(`http://127.0.0.1:${port}/a?b=c`, request());
        assertEquals([response.status, response.headers.get("x-path"), await response.text()], [
          200,
          `127.0.0.1:${port}/a?b=c`,
          "there",
        ]);
      },
      ({ headers, url }, response) =>
        response.setHeader("x-path", `${headers.host}${url}`).end("there"),
    );
  });

  it("posts a body", async () => {
    await withServer(
      async (port) => {
        const response = await open(
          `http://127.0.0.1:${port}/`,
          request({ method: "POST", body: "logout_token=x" }),
        );
        assertEquals([response.status, await response.text()], [201, "POST logout_token=x"]);
      },
      (asked, response) => {
        let text = "";
        asked.on("data", (chunk) => text += chunk);
        asked.on("end", () => {
          response.statusCode = 201;
          response.end(`${asked.method} ${text}`);
        });
      },
    );
  });

  it("still allows http on loopback only", async () => {
    const attempt = () => open("http://app.example/", request());
    await assertRejects(attempt, OutboundError, "is not https");
  });

  it("returns a redirect without following it", async () => {
    await withServer(async (port, connections) => {
      const response = await open(`http://127.0.0.1:${port}/`, request());
      assertEquals([response.status, connections()], [302, 1]);
    }, (_, response) => response.writeHead(302, { Location: "/elsewhere" }).end());
  });

  it("reads at most a megabyte", async () => {
    await withServer(async (port) => {
      const attempt = () => open(`http://127.0.0.1:${port}/`, request());
      await assertRejects(attempt, OutboundError, "larger than");
    }, (_, response) => response.end("x".repeat(2_000_000)));
  });

  for (
    const reply of [
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
      "HTTP/1.1 101 Hm\r\n\r\n",
      "",
    ]
  ) {
    it(`L11: rejects the reply '${reply.split("\r")[0]}', after which no response can come`, async () => {
      await withSocket(reply, async (port) => {
        const pending = open(`http://127.0.0.1:${port}/`, request()).then(
          ({ status }) => `status ${status}`,
          () => "rejected",
        );
        assertEquals(await unlessSilent(pending), "rejected");
      });
    });
  }

  it("stops when it is aborted", async () => {
    await withServer(async (port) => {
      const stop = new AbortController();
      const pending = open(`http://127.0.0.1:${port}/`, request({ signal: stop.signal }));
      setTimeout(() => stop.abort(), 20);
      assert(await assertRejects(() => pending));
    }, () => {});
  });
});
