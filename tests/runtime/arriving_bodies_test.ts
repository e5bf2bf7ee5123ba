import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { createArrivingBodies } from "../../src/runtime/arriving_bodies.ts";
import { endOfNextTurn } from "../../src/runtime/turn.ts";
import { createIncomingRequest } from "../../src/server/http/incoming_request.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { withClock } from "../support/with_clock.ts";

/** A request whose body never ends. */
function slowRequest(): Request {
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({});
  const init = { method: "POST", body, duplex: "half" };
  return new Request("https://hallpass.test/oauth2/token", init);
}

describe("Bodies that are arriving", () => {
  it("are refused one after the other once they are late", async () => {
    const { follow, end } = createArrivingBodies(1000, 5);
    for (const _ of [1, 2]) {
      const { reader: bodyReader, forget } = follow();
      const request = createIncomingRequest(slowRequest(), {}, bodyReader);
      await assertRejects(() => request.text(), OAuthError, "within 15 seconds");
      forget();
    }
    await end();
  });

  it("are each refused at their own deadline", async () => {
    await withClock(async (advance) => {
      const { follow } = createArrivingBodies(1000, 100);
      const refused: string[] = [];
      const begin = (name: string) =>
        follow().reader(() => new Promise(() => {})).catch(() => refused.push(name));
      begin("first");
      await advance(60);
      begin("second");
      for (const [by, expected] of [[39, 0], [1, 1], [59, 1], [1, 2]] as const) {
        await advance(by);
        assertEquals(refused, ["first", "second"].slice(0, expected));
      }
    });
  });
});

describe("Bodies that are arriving when a server closes", () => {
  it("V3: are refused at once if they begin after the deadline, while others are refused", async () => {
    const bodies = createArrivingBodies(0);
    const refused: string[] = [];
    let second: Promise<void> | undefined;

    async function handle(name: string, onRefused: () => void): Promise<void> {
      const { reader: bodyReader, forget } = bodies.follow();
      const request = createIncomingRequest(slowRequest(), {}, bodyReader);
      await request.text().catch(() => refused.push(name));
      onRefused();
      forget();
    }

    const first = handle("first", () => {
      second = handle("second", () => {});
    });
    const ended = bodies.end().then(() => "ended");
    await first;
    const state = await Promise.race([ended, endOfNextTurn().then(() => "waiting")]);
    assertEquals([state, refused], ["ended", ["first", "second"]]);
    await second;
  });
});
