import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass } from "../../../../src/lab/testing/mod.ts";
import {
  type FollowedLab,
  followEvents,
  type StreamedEvent,
} from "../../../../src/program/features/flows/follow_events.ts";
import { UsageError } from "../../../../src/program/terminal/exit_code.ts";

const address = "http://localhost:9000";

/** A follower that stops at the given event, and what it was given. */
function followUntil(last: string, connect: FollowedLab["connect"]) {
  const stop = new AbortController();
  const seen: string[] = [];
  const note = (text: string) => {
    seen.push(text);
    if (text === last) stop.abort();
  };
  const followed = followEvents({
    address,
    connect,
    onOpen: (isFirst) => Promise.resolve(note(isFirst ? "first" : "again")),
    onEvent: ({ type }) => note(type),
    report: note,
    pause: () => Promise.resolve(),
  }, stop.signal);
  return { followed, seen };
}

/** A response with a stream, piece by piece. */
function streamOf(...pieces: string[]): Response {
  const headers = { "Content-Type": "text/event-stream" };
  const body = ReadableStream.from(pieces.map((piece) => new TextEncoder().encode(piece)));
  return new Response(body, { headers });
}

function dataOf(event: object): string {
  return `event: x\ndata: ${JSON.stringify(event)}\n\n`;
}

const moved: StreamedEvent = { type: "clock.moved", now: "2027-01-01T00:00:00Z", frozen: false };

describe("followEvents", () => {
  it("passes on what happens in a lab", async () => {
    await using lab = await hallpass();
    const { followed, seen } = followUntil("exchange.recorded", async () => {
      const response = await lab.fetch(`${lab.issuer}/lab/events`);
      await lab.fetch(`${lab.issuer}/.well-known/openid-configuration`);
      return response;
    });
    await followed;
    assertEquals(seen, [`Following ${address}.`, "first", "exchange.recorded"]);
  });

  it("reports a lost connection once, and opens it again", async () => {
    const responses = [
      () => streamOf(dataOf(moved)),
      () => {
        throw new TypeError("connection refused");
      },
      () => new Response("The lab starts.", { status: 503 }),
      () => streamOf(dataOf({ ...moved, type: "fault.fired" })),
    ];
    const { followed, seen } = followUntil("fault.fired", async () => responses.shift()!());
    await followed;
    assertEquals(seen, [
      `Following ${address}.`,
      "first",
      "clock.moved",
      `Lost the connection to ${address}. Trying again.`,
      `Connected to ${address}.`,
      "again",
      "fault.fired",
    ]);
  });

  it("waits for a lab that does not respond yet, and gives the reason", async () => {
    const responses = [
      () => {
        throw new TypeError("connection refused");
      },
      () => streamOf(dataOf(moved)),
    ];
    const { followed, seen } = followUntil("clock.moved", async () => responses.shift()!());
    await followed;
    assertEquals(
      seen[0],
      `No lab responds at ${address}: nothing is listening on that port. Trying again.`,
    );
    assertEquals(seen.at(-1), "clock.moved");
  });

  it("ends at a lab that refuses: the next attempt would fail as well", async () => {
    await using lab = await hallpass({ labToken: "a-token-of-32-letters-and-digits" });
    const { followed } = followUntil("", () => lab.fetch(`${lab.issuer}/lab/events`));
    await assertRejects(() => followed, UsageError, "Send the lab's token");
    const other = followUntil("", () => Promise.resolve(new Response("Hello")));
    await assertRejects(() => other.followed, UsageError, "The response is not that of a lab.");
  });

  it("puts events together that arrive in pieces, and leaves out what is none", async () => {
    const whole = dataOf(moved);
    const escape = dataOf({ type: "clock.moved", "\x1b[2J": 1 });
    const { followed, seen } = followUntil(
      "clock.moved",
      async () =>
        streamOf(": listening\n\n", "data: {\n\n", escape, whole.slice(0, 20), whole.slice(20)),
    );
    await followed;
    assertEquals(seen, [`Following ${address}.`, "first", "clock.moved"]);
  });
});
