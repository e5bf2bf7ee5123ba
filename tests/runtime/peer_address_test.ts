import { assertEquals, assertMatch } from "@std/assert";
import { connect } from "node:net";
import { describe, it } from "node:test";
import { createApplication } from "../../src/server/http/application.ts";
import { createOriginReader } from "../../src/server/http/client_address.ts";
import { createIncomingRequest } from "../../src/server/http/incoming_request.ts";
import { htmlResponse } from "../../src/server/http/response.ts";
import { serving } from "./serving.ts";

/** Sends a whole request and resets the connection at once. */
function sendAndReset(port: number): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    socket.once("close", () => resolve());
    const request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx";
    socket.write(request, () => void setImmediate(() => socket.resetAndDestroy()));
  });
}

/** Returns the address that a server finds in the request that an application passes on. */
function addressOf(request: Request): string | undefined {
  return createOriginReader([])(createIncomingRequest(request)).address;
}

describe("serve, and the address of a peer", () => {
  it("M4: knows the address of a peer that has disconnected, and charges its budget", async () => {
    const [gone, arrived] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const address = Promise.withResolvers<string | undefined>();
    const answer = async (request: Request) => {
      request.signal.addEventListener("abort", () => gone.resolve());
      arrived.resolve();
      await gone.promise;
      address.resolve(addressOf(request));
      return new Response(null);
    };
    await serving(answer, async (port) => {
      const socket = connect(port, "127.0.0.1");
      socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
      await arrived.promise;
      socket.destroy();
      assertEquals(await address.promise, "127.0.0.1");
    });
  });

  it("M4: does not serve a peer that disconnected before its address was known", async () => {
    const addresses = new Set<string | undefined>();
    const answer = async (request: Request) => {
      await request.text();
      addresses.add(addressOf(request));
      return new Response("x");
    };
    await serving(answer, async (port) => {
      for (let n = 0; n < 20; n++) {
        await Promise.all(Array.from({ length: 20 }, () => sendAndReset(port)));
      }
      await (await fetch(`http://127.0.0.1:${port}/`)).text();
      assertEquals([...addresses], ["127.0.0.1"]);
    });
  });

  it("passes on the address of the peer", async () => {
    await serving(async (request) => new Response(addressOf(request) ?? "nobody"), async (port) => {
      assertMatch(await (await fetch(`http://127.0.0.1:${port}/`)).text(), /127\.0\.0\.1/);
    });
  });
});

describe("serve, and a response of ours", () => {
  it("sends a text in one piece, with its length and every header", async () => {
    const cookies = [["Set-Cookie", "a=1"], ["Set-Cookie", "b=2; Path=/"]] as const;
    const page = createApplication(async () => htmlResponse("ä".repeat(1000), 200, cookies));
    await serving(page, async (port) => {
      const response = await fetch(`http://localhost:${port}/`);
      assertEquals(await response.text(), "ä".repeat(1000));
      assertEquals(response.headers.get("Content-Length"), "2000");
      assertEquals(response.headers.getSetCookie(), ["a=1", "b=2; Path=/"]);
    });
  });
});
