import { assert, assertEquals } from "@std/assert";
import { describe } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { cibaParts } from "../../../src/server/features/ciba/parts.ts";
import { deliverPings } from "../../../src/server/features/ciba/pings.ts";
import { joinId, splitId } from "../../../src/server/issuer/records/row_id.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { answerPages } from "../../support/browser.ts";
import {
  agent,
  answerCiba,
  cibaGrant,
  openRequest,
  pingToken,
  pollCiba,
  receivePings,
  withPings,
} from "../../support/ciba.ts";
import { itWith } from "../../support/it_with.ts";
import { basic, type Kit, openKit, openStrictKit, startOfTime } from "../../support/kit.ts";
import { interruptEachCall, interruptibleStore, watchedStore } from "../../support/stores.ts";
import { needs } from "../../support/where_feature.ts";

const token = pingToken.client_notification_token;
const secret = "0123456789-0123456789-0123456789";
const it = itWith({ withPing: openPing });

/** A lab whose client waits for pings, and what it gets. */
function openPingKit(changes: Partial<LabConfig> = {}) {
  const { pings, responses, fetch } = receivePings();
  const kit = openKit({ clients: [agent(withPings)], fetch, ...changes });
  const idle = () => kit.server.context.background.idle();
  return {
    ...{ kit, pings, responses, idle },
    begin: () => openRequest(kit, pingToken),
    async later(seconds: number) {
      kit.clock.advance(seconds);
      await kit.get("/health");
      await idle();
    },
    /** Returns what is stored about pings. */
    async stored() {
      const { pings, notifications } = cibaParts(kit.server.context);
      return [...await pings.list(), ...await notifications.list()];
    },
  };
}

/** The same with a request, whose user can decide. */
async function openPing(changes?: Partial<LabConfig>) {
  const opened = openPingKit(changes);
  const request = await opened.begin();
  return {
    ...{ ...opened, ...request },
    async decide(decision: "allow" | "deny" = "allow") {
      await request.answer({ decision });
      await opened.idle();
    },
  };
}

/** Returns which attempts failed, and whether each was the last. */
function failuresOf({ events }: Kit) {
  return events.flatMap((event) =>
    event.type === "ping.failed" ? [[event.attempt, event.isLast] as const] : []
  );
}

describe("Pings (CIBA, section 10.2)", () => {
  for (const decision of ["allow", "deny"] as const) {
    it.withPing(`C16 tell the client that the user has decided, with its token: ${decision}`, async ({ kit, pings, begun, decide, poll, pollError }) => {
      assertEquals(await pollError(), "authorization_pending");
      await decide(decision);
      assertEquals(pings, [{
        url: withPings.backchannelNotificationEndpoint,
        method: "POST",
        redirect: "manual",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
        body: JSON.stringify({ auth_req_id: begun.auth_req_id }),
      }]);
      assertEquals((await poll()).status, decision === "allow" ? 200 : 400);
      assert(kit.events.some((event) => event.type === "ping.delivered"));
    });
  }

  /** How many are sent as time passes, and which of those that fail is the last. */
  type Outcome = [statuses: number[], counts: number[], failures: boolean[]];
  const outcomes: Record<string, Outcome> = {
    "C16 are sent once": [[200], [1, 1, 1, 1, 1, 1], []],
    "C16 C17 are sent once, and follow no redirect,": [
      [301, 302, 307, 400, 401, 403, 404, 410],
      [1, 1, 1, 1, 1, 1],
      [true],
    ],
    "C17 are tried again after 10 seconds and a minute": [
      [0, 408, 425, 429, 500, 503],
      [1, 1, 2, 2, 3, 3],
      [false, false, true],
    ],
  };
  for (const [what, [statuses, expected, failures]] of Object.entries(outcomes)) {
    for (const status of statuses) {
      it.withPing(`${what} after the status ${status || "of no response"}`, async ({ kit, pings, responses, decide, later, stored }) => {
        responses.push(status, status, status);
        await decide();
        const counts = [pings.length];
        for (const seconds of [9, 1, 59, 11, 3600]) {
          await later(seconds);
          counts.push(pings.length);
        }
        assertEquals(counts, expected);
        assertEquals(failuresOf(kit), failures.map((isLast, at) => [at + 1, isLast]));
        assertEquals(await stored(), []);
      });
    }
  }

  const delays: Record<string, [retryAfter: string, seconds: number, body?: string]> = {
    "a number of seconds": ["30", 30],
    "a date": [new Date(startOfTime + 20_000).toUTCString(), 20],
    "less than they would wait anyway": ["2", 10],
    "more than a minute": ["3600", 60],
    "a date in the past": [new Date(startOfTime - 20_000).toUTCString(), 10],
    "no time": ["soon", 10],
    "nothing, on an error page of any size": ["", 10, "x".repeat(100_000)],
  };
  for (const [what, [retryAfter, seconds, body]] of Object.entries(delays)) {
    it.withPing(`C17 wait as Retry-After asks, up to a minute: ${what}`, async ({ pings, responses, decide, later }) => {
      const headers = { "Retry-After": retryAfter, Date: new Date(startOfTime).toUTCString() };
      responses.push(new Response(body, { status: 503, headers }));
      await decide();
      await later(seconds - 1);
      assertEquals(pings.length, 1);
      // A server looks every ten seconds for what is due.
      await later(10);
      assertEquals(pings.length, 2);
    });
  }

  it.withPing("C17 are not tried more often because of a decision that comes too late", async ({ kit, pings, responses, decide, review, later }) => {
    responses.push(500, 500, 500);
    const browser = kit.browser();
    const page = await review(browser);
    await decide();
    await later(11);
    await answerPages(browser, page, { decision: "deny" });
    for (const seconds of [11, 61, 61]) await later(seconds);
    assertEquals(pings.length, 3);
  });

  it("C16 are sent once, even if another process began to look for attempts before", async () => {
    const store = memoryStore();
    const one = await openPing({ store });
    const other = openPingKit({ store });
    const { pings } = cibaParts(other.kit.server.context);
    const { delete: deleteRow } = store;
    let hasActed = false;
    store.delete = async (kind, id) => {
      await deleteRow(kind, id);
      const [requestId = "", attempt] = splitId(id);
      if (hasActed || kind !== "ping" || attempt !== "2") return;
      // The other process found the first attempt before it was made.
      hasActed = true;
      await pings.add(joinId(requestId, "1"), { requestId, attempt: 1, dueAt: 0 }, forever);
      await deliverPings(other.kit.server.context);
    };
    await one.decide();
    assertEquals([hasActed, one.pings.length, other.pings.length], [true, 1, 0]);
  });

  it("C16 are sent once by another process, wherever the one that stored the decision is killed", async () => {
    let store = interruptibleStore();
    const states = new Set<boolean>();
    const points = await interruptEachCall({
      async open(opened) {
        store = opened;
        const one = await openPing({ store });
        const browser = one.kit.browser();
        return { one, browser, page: await one.review(browser) };
      },
      async act({ one, browser, page }) {
        await answerPages(browser, page);
        await one.idle();
      },
      interruption: async () => store.fail(true),
      async check({ one }, call) {
        await one.idle();
        store.fail(false);
        const other = openPingKit({ store });
        other.kit.clock.now = one.kit.clock.now;
        for (const seconds of [10, 60]) await other.later(seconds);
        const { error } = (await pollCiba(other.kit, one.begun.auth_req_id)).body;
        const isDecided = error !== "authorization_pending";
        states.add(isDecided);
        const [before, after] = [one.pings.length, other.pings.length];
        // One that was sent, and not marked, is sent again.
        const allowed = isDecided ? [1, 1 + before] : [0];
        assert(
          allowed.includes(before + after),
          `before call ${call}: ${before} and ${after} pings, then ${error}`,
        );
        if (isDecided) return;
        await answerCiba(other.kit);
        await other.idle();
        assertEquals(other.pings.length, 1, `decided after a death before call ${call}`);
      },
    });
    assert(points > 10 && states.size === 2, `${points} points of death`);
  });

  it.withPing("C16 end where the secret that encrypted them was replaced: the client polls", async ({ kit, pings, decide, later, stored, poll }) => {
    const { notifications } = cibaParts(kit.server.context);
    for (const [id, row] of await notifications.list()) {
      await notifications.put(id, { ...row, sealed: "sealed:of an earlier secret" }, forever);
    }
    await decide();
    await later(10);
    assertEquals(failuresOf(kit).map(([, isLast]) => isLast), [true]);
    assertEquals([pings, await stored()], [[], []]);
    assertEquals((await poll()).status, 200);
  });

  it("C16 are sent to no client that polls, even if it sends a token", async () => {
    const { pings, decide } = await openPing({ clients: [agent()] });
    await decide();
    assertEquals(pings, []);
  });

  const kept: Record<string, [config: object, options?: ReturnType<typeof needs>]> = {
    "readable in one row without a secret of the server, until they are sent": [{}],
    "unreadable where the store is encrypted": [
      { secret: `${secret}-a` },
      needs("encryption at rest"),
    ],
  };
  for (const [how, [config, options = { skip: false }]] of Object.entries(kept)) {
    it(`C16 keep their secrets ${how}`, options, async () => {
      const store = watchedStore();
      const kit = openStrictKit({
        ...{ store, fetch: receivePings().fetch, grantTypes: [cibaGrant, "refresh_token"] },
        ...{ clients: [agent({ ...withPings, secret })], ...config },
      });
      const fields = { scope: "openid", ...pingToken };
      const { begun, answer } = await openRequest(kit, fields, basic("demo-agent", secret));
      await answer();
      await kit.server.context.background.idle();
      const readable = store.texts.filter((text) =>
        [token, begun.auth_req_id].some((each) => text.includes(each))
      );
      assertEquals(readable.length, "secret" in config ? 0 : 1);
      assertEquals(await store.list("notification"), []);
    });
  }
});
