import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { createApplication } from "../../src/server/http/application.ts";
import { createServer } from "../../src/server/mod.ts";
import { openRawConnection } from "../support/raw_connection.ts";
import { serving } from "./serving.ts";

const end = "Connection: close\r\n\r\n";
const form = "Content-Type: application/x-www-form-urlencoded\r\n";
const chunked = "Transfer-Encoding: chunked\r\n" + end;

/** What an endpoint reads of a request, as the platform spells it. */
const requests: Record<string, [sent: string, seen: unknown]> = {
  "a query": [`GET /a?b=%20c HTTP/1.1\r\nHost: a.example:9\r\n${end}`, {
    method: "GET",
    url: "http://a.example:9/a?b=%20c",
    text: "",
  }],
  "a URL as its target": [`GET http://b.example/a?b HTTP/1.1\r\nHost: b.example\r\n${end}`, {
    method: "GET",
    url: "http://b.example/a?b",
    text: "",
  }],
  "repeated headers": [
    `GET / HTTP/1.1\r\nHost: a\r\nX-Two: 1\r\nx-two: 2\r\nCookie: c=1\r\n${end}`,
    { method: "GET", url: "http://a/", text: "", two: "1, 2", cookie: "c=1" },
  ],
  "a body of known length": [`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n${end}abc`, {
    method: "POST",
    url: "http://a/",
    text: "abc",
  }],
  "a body in chunks": [`POST / HTTP/1.1\r\nHost: a\r\n${chunked}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`, {
    method: "POST",
    url: "http://a/",
    text: "abc",
  }],
};

/** Sends what an endpoint reads of its request, and what an application of others gets of it. */
const application = createApplication(async (request) => {
  const { method, url, headers } = request;
  const text = method === "GET" ? "" : await request.text();
  const passed = await request.toRequest();
  const found = {
    ...{ method, url, text },
    ...headers.has("X-Two") && { two: headers.get("X-Two"), cookie: headers.get("cookie") },
  };
  const isSame = passed.url === url && passed.headers.get("Host") === headers.get("Host");
  return { status: 200, headers: [], body: `<<${JSON.stringify({ ...found, isSame })}>>` };
});

async function textOf(port: number, sent: string): Promise<string> {
  const connection = await openRawConnection(port);
  connection.send(sent);
  // Deno keeps a connection open whose body was not read.
  await Promise.race([connection.until(/^HTTP\/1.1 4|>>/), connection.ended]);
  connection.destroy();
  return connection.received();
}

describe("A request that arrives", () => {
  for (const [what, [sent, seen]] of Object.entries(requests)) {
    it(`is read as the platform would read it, with ${what}`, async () => {
      await serving(application, async (port) => {
        const [, json = ""] = /<<(.*)>>/.exec(await textOf(port, sent)) ?? [];
        assertEquals(JSON.parse(json), { ...seen as object, isSame: true });
      });
    });
  }

  it("gets a response if its chunks are more than the server reads", async () => {
    const server = createServer({ issuer: "http://localhost" });
    const head = `POST /oauth2/token HTTP/1.1\r\nHost: localhost\r\n${form}${chunked}`;
    const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
    await serving(server, async (port) => {
      assertMatch(await textOf(port, head + chunk + chunk), /^HTTP\/1.1 413/);
    });
    await server.close();
  });
});
