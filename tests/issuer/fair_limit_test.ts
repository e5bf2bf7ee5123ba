import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  createFairLimit,
  createPasswordLimit,
  passwordConcurrency,
} from "../../src/issuer/limits/fair_limit.ts";
import { errorFactory, OAuthError } from "../../src/protocol/oauth_error.ts";
import { present } from "../support/present.ts";

/** A limit, and work that ends when the test says so. */
function openLimit(concurrency: number, concurrencyPerSender = concurrency) {
  const limit = createFairLimit({
    concurrency,
    concurrencyPerSender,
    maxPerSender: 3,
    max: 6,
    createError: () => errorFactory("temporarily_unavailable")("Come back later."),
  });
  const running: Array<{ name: string; end: () => void }> = [];
  const settle = async () => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  const begin = (sender: string, name = sender) =>
    limit(
      sender,
      () => new Promise<string>((resolve) => running.push({ name, end: () => resolve(name) })),
    );
  const endFirst = async () => {
    running.shift()!.end();
    await settle();
  };
  return { limit, begin, endFirst, settle, names: () => running.map(({ name }) => name) };
}

describe("A limit on costly work", () => {
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

  it("M7: turns away the last one of a sender who has too many waiting, with Retry-After", async () => {
    const { begin } = openLimit(1);
    for (let n = 0; n < 4; n++) begin("attacker");
    await assertRejects(() => begin("attacker"), OAuthError, "Come back later.");
  });

  it("M7: answers a sign-in that finds no place with 503 and Retry-After", async () => {
    const limit = createPasswordLimit(1);
    const pending = Promise.withResolvers<void>();
    for (let n = 0; n < 11; n++) limit("attacker", () => pending.promise);
    const { status, headers } = await assertRejects(
      () => limit("attacker", () => pending.promise),
      OAuthError,
    ) as OAuthError;
    assertEquals([status, headers["Retry-After"]], [503, "5"]);
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

  it("M7: goes on after work that failed", async () => {
    const { limit, begin, settle, names } = openLimit(1);
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
