import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import {
  createFairLimit,
  createPasswordLimit,
  passwordConcurrency,
} from "../../src/server/issuer/limits/fair_limit.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { itWith } from "../support/it_with.ts";
import { present } from "../support/present.ts";

const it = itWith({ inLimit: () => openLimit(1) });

/** A limit, and work that ends when the test says so. */
function openLimit(concurrency: number, concurrencyPerSender = concurrency) {
  const limit = createFairLimit({
    concurrency,
    concurrencyPerSender,
    maxPerSender: 3,
    max: 6,
    createError: () => new OAuthError("temporarily_unavailable", "Come back later."),
  });
  const running: Array<{ name: string; end: () => void }> = [];
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const begin = (sender: string | undefined, name = `${sender}`) =>
    limit(
      sender,
      () => new Promise<string>((resolve) => running.push({ name, end: () => resolve(name) })),
    );
  const endFirst = async () => {
    await settle();
    running.shift()!.end();
    await settle();
  };
  return { limit, begin, endFirst, settle, names: () => running.map(({ name }) => name) };
}

/**
 * Begins work in order, a piece for each letter, while another piece runs. Returns what was turned
 * away, and in which order the rest runs.
 */
async function run(senders: string): Promise<{ turnedAway: string[]; order: string[] }> {
  const { begin, endFirst, names } = openLimit(1);
  begin("before them");
  const turnedAway: string[] = [];
  for (const [at, sender] of [...senders].entries()) {
    begin(sender, `${sender}${at}`).catch(() => turnedAway.push(`${sender}${at}`));
  }
  const order: string[] = [];
  for (await endFirst(); names().length > 0; await endFirst()) order.push(...names());
  return { turnedAway, order };
}

describe("A limit on costly work", () => {
  const cases: Record<string, [senders: string, order: string, turnedAway: string]> = {
    "is empty at first": ["", "", ""],
    "serves one sender in order": ["aaa", "a0 a1 a2", ""],
    "serves senders in turn": ["aaabbc", "a0 b3 c5 a1 b4 a2", ""],
    "turns away the fourth of one sender": ["aaaab", "a0 b4 a1 a2", "a3"],
    "gives a newcomer the last place of the longest line": ["aaabbbc", "a0 b3 c6 a1 b4 b5", "a2"],
    "gives it to a line that stays shorter than that one": [
      "aaabbccc",
      "a0 b3 c5 a1 b4 c6",
      "a2 c7",
    ],
    "finds the longest line behind a shorter one": ["abbbccd", "a0 b1 c4 d6 b2 c5", "b3"],
    "turns a newcomer away where every line is as short": ["abcdefg", "a0 b1 c2 d3 e4 f5", "g6"],
    "gives a newcomer the last place of the first of several longest lines": [
      "aabbccd",
      "a0 b2 c4 d6 b3 c5",
      "a1",
    ],
  };
  for (const [what, [senders, order, turnedAway]] of Object.entries(cases)) {
    it(`M7: ${what}`, async () => {
      assertEquals(await run(senders), {
        order: order.split(" ").filter(Boolean),
        turnedAway: turnedAway.split(" ").filter(Boolean),
      });
    });
  }

  it.inLimit("M7: serves a newcomer next, however many of one sender wait", async ({ begin, endFirst, names }) => {
    for (let n = 0; n < 4; n++) begin("attacker", `attacker ${n}`);
    begin("honest");
    await endFirst();
    assertEquals(names(), ["honest"]);
    await endFirst();
    assertEquals(names(), ["attacker 1"]);
  });

  it.inLimit("M7: serves a newcomer before a sender who was just served and has come back", async ({ begin, endFirst, names }) => {
    for (const name of ["attacker", "attacker", "honest"]) begin(name);
    await endFirst();
    assertEquals(names(), ["honest"]);
  });

  it.inLimit("M7: lets no series of newcomers keep a sender waiting", async ({ begin, endFirst, settle, names }) => {
    for (const item of ["first", "second", "third"]) begin("home", item);
    await settle();
    const order: string[] = [];
    for (let n = 0; n < 6; n++, await endFirst()) {
      order.push(...names());
      begin(`newcomer ${n}`);
    }
    assertEquals(order.filter((item) => !item.startsWith("newcomer")), [
      "first",
      "second",
      "third",
    ]);
  });

  it.inLimit("M7: knows no limit per sender where the sender is not known", async ({ begin, settle }) => {
    const turnedAway: number[] = [];
    for (let n = 0; n < 8; n++) begin(undefined, `${n}`).catch(() => turnedAway.push(n));
    await settle();
    assertEquals(turnedAway, [7]);
  });

  it("M7: runs so much at a time, and then one sender after the other", async () => {
    const { begin, endFirst, settle, names } = openLimit(2);
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) begin("attacker", name);
    begin("honest");
    await settle();
    assertEquals(names(), ["a1", "a2"]);
    await endFirst();
    await endFirst();
    assertEquals(names(), ["honest", "a3"]);
  });

  it.inLimit("M7: turns away the last one of a sender who has too many waiting, with Retry-After", async ({ begin }) => {
    for (let n = 0; n < 4; n++) begin("attacker");
    await assertRejects(() => begin("attacker"), OAuthError, "Come back later.");
  });

  it("M7: answers a sign-in that finds no place with 503 and Retry-After", async () => {
    const limit = createPasswordLimit(1);
    const pending = Promise.withResolvers<void>();
    for (let n = 0; n < 11; n++) limit("attacker", () => pending.promise);
    const { status, details: { headers } } = await assertRejects(
      () => limit("attacker", () => pending.promise),
      OAuthError,
    ) as OAuthError;
    assertEquals([status, headers?.["Retry-After"]], [503, "5"]);
    pending.resolve();
  });

  it("S3: leaves places to others, although one sender has more work waiting", async () => {
    const { begin, endFirst, settle, names } = openLimit(4, 2);
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) begin("attacker", name);
    begin("honest");
    await settle();
    assertEquals(names(), ["a1", "a2", "honest"]);
    await endFirst();
    assertEquals(names(), ["a2", "honest", "a3"]);
  });

  it.inLimit("M7: goes on after work that failed", async ({ limit, begin, settle, names }) => {
    await assertRejects(
      () => limit("a", () => Promise.reject(new Error("broken"))),
      Error,
      "broken",
    );
    begin("b");
    await settle();
    assertEquals(names(), ["b"]);
  });

  for (const [cores, concurrency] of [[1, 1], [2, 1], [4, 2], [6, 3], [64, 3]]) {
    it(`M7: checks ${concurrency} passwords at a time on ${cores} cores`, () =>
      assertEquals(passwordConcurrency(present(cores)), concurrency));
  }
});
