import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { OutboundError } from "../../src/server/http/outbound_fetch.ts";
import { createExternalKeys } from "../../src/server/issuer/external/external_keys.ts";
import {
  createUntrustedFetchLimit,
  type FairLimit,
} from "../../src/server/issuer/limits/fair_limit.ts";
import { createFetchBudgets } from "../../src/server/issuer/limits/fetch_budgets.ts";
import { limitExceeded, limitRules } from "../../src/server/issuer/limits/limit_rules.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { createDeferred } from "../../src/server/util/time/promises.ts";
import { itWith } from "../support/it_with.ts";

const it = itWith({ inKeys: openKeys });

const [attacker, office] = ["192.0.2.66", "198.51.100.7"];
const key = { kty: "EC", crv: "P-256", x: "x".repeat(43), y: "y".repeat(43), kid: "k" };
/** As many large keys as a document has room for. */
const largeKeys = Array.from(
  { length: 40 },
  () => ({ kty: "RSA", e: "AQAB", n: "n".repeat(1366) }),
);

/** A cache of keys, on a web in which every URL holds the same key, and some more than that. */
function openKeys(
  headers: Record<string, string> = { "Content-Type": "application/jwk-set+json" },
  untrustedFetches: FairLimit = createUntrustedFetchLimit(),
) {
  const clock = { now: 0, isSiteDown: false, status: 200 };
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    if (clock.isSiteDown) throw new Error("The site is down.");
    const keys = url.includes("large") ? [key, ...largeKeys] : [key];
    return new Response(JSON.stringify({ keys }), { status: clock.status, headers });
  };
  const now = () => clock.now;
  const fetches = createFetchBudgets(now, 30);
  const keys = createExternalKeys({
    settings: { fetch, fetchUntrusted: fetch },
    now,
    limits: { fetches, untrustedFetches },
    emit: () => {},
  });
  /** How many keys are found for an untrusted client, or a configured one. */
  const find = async (
    id: string,
    sender?: string,
    { trusted = false, host = `${id}.example`, kid = "k" } = {},
  ) =>
    (await keys.find({ id, jwksUri: `https://${host}/jwks`, trusted }, {
      alg: "ES256",
      kid,
      sender,
    })).length;
  return { clock, asked, find };
}

describe("Keys that strangers point to", () => {
  it.inKeys("are fetched from another URL as soon as the signer names one", async ({ find, asked }) => {
    await find("client", office, { host: "one.example" });
    await find("client", office, { host: "one.example" });
    await find("client", office, { host: "two.example" });
    assertEquals(asked, ["https://one.example/jwks", "https://two.example/jwks"]);
  });

  it.inKeys("M3: are fetched 30 times a minute for one sender, and go on being fetched for others", async ({ find, asked }) => {
    for (let n = 0; n < 30; n++) await find(`client${n}`, attacker);
    await assertRejects(() => find("client30", attacker), OAuthError, "try again in a minute");
    assertEquals(await find("honest", office), 1);
    assertEquals(await find("client0", attacker), 1);
    assertEquals(asked.length, 31);
  });

  it.inKeys("M3: leave the others a share of each host", async ({ find }) => {
    for (let n = 0; n < 20; n++) {
      await find(`client${n}`, attacker, { host: "app.example" }).catch(() => {});
    }
    assertEquals(await find("honest", office, { host: "app.example" }), 1);
  });

  it.inKeys("M3: are used as they are for a day where our own limits forbid to fetch them again", async ({ find, clock, asked }) => {
    await find("honest", office);
    for (const [hours, works] of [[23, true], [25, false]] as const) {
      clock.now = hours * 3_600_000;
      for (let n = 0; n < 30; n++) {
        await find(`client${hours}-${n}`, `2001:db8:${n}::1`, { host: "honest.example" });
      }
      const before = asked.length;
      const found = await find("honest", office).catch((cause) =>
        cause instanceof OAuthError && cause.status
      );
      assertEquals([found, asked.length - before], [works ? 1 : 429, 0]);
    }
  });

  it("V2: are not waited for in the queue of another sender, nor lost when that is full", async () => {
    const queue = createDeferred<never>();
    const limit: FairLimit = (sender, work) => sender === attacker ? queue.promise : work();
    const { find, clock, asked } = openKeys(undefined, limit);
    await find("honest", office);
    for (const minutes of [2, 10]) {
      clock.now = minutes * 60_000;
      const byAttacker = find("honest", attacker, { kid: "unheard" }).then(() => "attacker");
      const byOffice = find("honest", office).then((count) => `office: ${count}`);
      if (minutes === 10) setTimeout(() => queue.reject(limitExceeded(limitRules.fetches)));
      const first = await Promise.race([byAttacker.catch(() => "attacker"), byOffice]);
      assertEquals([minutes, first], [minutes, "office: 1"]);
      await byOffice;
      if (minutes === 10) await byAttacker.catch(() => {});
    }
    assertEquals([await find("honest", office), asked.length], [1, 2]);
  });

  it.inKeys("V2: are waited for where the budget of their host is used up by those who fetch them", async ({ find, asked }) => {
    const senders = Array.from({ length: 40 }, (_, n) => `198.51.${n}.7`);
    const found = await Promise.all(senders.map((sender) => find("honest", sender)));
    assertEquals([new Set(found), asked.length], [new Set([1]), 30]);
  });

  it.inKeys("M3: are not lost to an unknown kid when our limits forbid to look for it", async ({ find, clock }) => {
    await find("honest", office);
    clock.now = 61_000;
    for (let n = 0; n < 30; n++) await find(`client${n}`, attacker);
    assertEquals(await find("honest", attacker, { kid: "unheard" }), 0);
    assertEquals(await find("honest", office), 1);
  });

  it.inKeys("are not lost to an unknown kid when their site is down, until they are no longer fresh", async ({ find, clock }) => {
    await find("honest", office);
    clock.isSiteDown = true;
    clock.now = 61_000;
    assertEquals(await find("honest", office, { kid: "unheard" }), 0);
    assertEquals(await find("honest", office), 1);
    clock.now = 5 * 60_000;
    await assertRejects(() => find("honest", office), OutboundError);
  });

  it("Q5: of one sender push out that sender's own keys, and nobody else's", async () => {
    const { find, clock, asked } = openKeys({
      "Content-Type": "application/jwk-set+json",
      "Cache-Control": "max-age=86400",
    });
    await find("honest", office);
    for (let n = 0; n < 300; n++) {
      clock.now += 2_000;
      await find(`large${n}`, attacker);
    }
    const before = asked.length;
    await find("honest", office);
    await find("large299", attacker);
    assertEquals(asked.slice(before), []);
    await find("large0", attacker);
    assertEquals(asked.slice(before), ["https://large0.example/jwks"]);
  });

  const outage = { at: 0, isSiteDown: false, status: 200 };
  const minute = 60_000;
  const outages = [
    { what: "an hour at most", ...outage, at: 64 * minute, isSiteDown: true, works: true },
    { what: "no longer than that", ...outage, at: 66 * minute, isSiteDown: true, works: false },
    { what: "not where it responds", ...outage, at: 6 * minute, status: 503, works: false },
    { what: "not where they are gone", ...outage, at: 6 * minute, status: 404, works: false },
  ];
  for (const { what, at, works, ...site } of outages) {
    it.inKeys(`S3: of a configured client are used although their site is down: ${what}`, async ({ find, clock }) => {
      await find("configured", office, { trusted: true });
      clock.isSiteDown = site.isSiteDown;
      // A failed try each minute makes the hour no longer.
      while (site.isSiteDown && (clock.now += minute) < at) {
        await find("configured", office, { trusted: true }).catch(() => {});
      }
      Object.assign(clock, { now: at, ...site });
      const found = find("configured", office, { trusted: true });
      if (works) assertEquals(await found, 1);
      else await assertRejects(() => found, OutboundError);
    });
  }

  it.inKeys("S3: of any other client are not used after that, although their site is down", async ({ find, clock }) => {
    await find("registered", office);
    Object.assign(clock, { now: 6 * minute, isSiteDown: true });
    await assertRejects(() => find("registered", office), OutboundError);
  });

  it.inKeys("are fetched once for requests of a sender that come at the same time", async ({ find, asked }) => {
    assertEquals(await Promise.all([find("honest", office), find("honest", office)]), [1, 1]);
    assertEquals(asked.length, 1);
  });

  it("are fetched once for requests of all senders, if the operator configured the client", async () => {
    const { find, asked } = openKeys({ "Content-Type": "application/json" });
    const ofSenders = [office, attacker].map((sender) => find("web", sender, { trusted: true }));
    assertEquals([await Promise.all(ofSenders), asked.length], [[1, 1], 1]);
  });

  it("M3: never push out the keys of clients that the operator knows", async () => {
    const { find, clock, asked } = openKeys({
      "Content-Type": "application/json",
      "Cache-Control": "max-age=86400",
    });
    await find("robot", undefined, { trusted: true });
    for (let n = 0; n < 1200; n++) {
      if (n % 300 === 0) clock.now += 60_000;
      await find(`client${n}`, `2001:db8:${n}::1`).catch(() => {});
    }
    const before = asked.length;
    assertEquals(await find("robot", undefined, { trusted: true }), 1);
    assertEquals(asked.length - before, 0);
  });

  it.inKeys("M3: are not counted for a trusted client", async ({ find }) => {
    for (let n = 0; n < 50; n++) {
      assertEquals(await find(`robot${n}`, office, { trusted: true, host: "robots.example" }), 1);
    }
  });

  const types: Array<[type: string, trusted: boolean, found: boolean]> = [
    ["application/json", false, true],
    ["application/jwk-set+json", false, true],
    ["text/plain", false, false],
    ["text/html", false, false],
    ["text/plain", true, true],
  ];
  for (const [type, trusted, found] of types) {
    it(`L1: are ${found ? "taken" : "refused"} as ${type} from ${trusted ? "the operator's" : "an untrusted client's"} URL`, async () => {
      const { find } = openKeys({ "Content-Type": type });
      if (found) assertEquals(await find("client", office, { trusted }), 1);
      else {await assertRejects(
          () => find("client", office, { trusted }),
          OutboundError,
          "media type",
        );}
    });
  }
});
