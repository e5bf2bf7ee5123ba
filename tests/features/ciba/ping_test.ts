import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../../src/lab/lab_config.ts";
import { cibaParts } from "../../../src/server/features/ciba/parts.ts";
import { deliverPings } from "../../../src/server/features/ciba/pings.ts";
import type { OutboundRequest } from "../../../src/server/http/outbound_fetch.ts";
import { joinId, splitId } from "../../../src/server/issuer/records/row_id.ts";
import { forever } from "../../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { answerPages } from "../../support/browser.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  cibaGrant,
  pollCiba,
  reviewRequest,
} from "../../support/ciba.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { basic, type Kit, openKit, openStrictKit, startOfTime } from "../../support/kit.ts";
import { itRefuses, toRows } from "../../support/refusals.ts";
import { interruptEachCall, interruptibleStore, watchedStore } from "../../support/stores.ts";
import { needs } from "../../support/where_feature.ts";

const endpoint = "https://agent.example/ping";
const token = "8d67dc78-7faa-4d41-aabd-67707b374255";
const ping = {
  backchannelDeliveryMode: "ping",
  backchannelNotificationEndpoint: endpoint,
} as const;

interface Sent extends Pick<OutboundRequest, "headers" | "body" | "method" | "redirect"> {
  url: string;
}

/** A lab whose client waits for pings, what it was sent, and how it responds. */
function openPingKit(changes: Partial<LabConfig> = {}) {
  const sent: Sent[] = [];
  const statuses: number[] = [];
  const responses: Response[] = [];
  const kit = openKit({
    clients: [agent(ping)],
    fetch: (url, { headers, body = "", method, redirect }) => {
      sent.push({ url, headers, body, method, redirect });
      const status = statuses.shift() ?? 204;
      if (status === 0) throw new TypeError("connection refused");
      return Promise.resolve(responses.shift() ?? new Response(null, { status }));
    },
    ...changes,
  });
  return { kit, sent, statuses, responses, idle: () => kit.server.context.background.idle() };
}

/** Returns which attempts failed, and whether each was the last. */
function failuresOf({ events }: Kit) {
  return events.flatMap((event) =>
    event.type === "ping.failed" ? [[event.attempt, event.isLast] as const] : []
  );
}

async function begin(kit: Kit): Promise<string> {
  return (await beginCiba(kit, { client_notification_token: token })).body.auth_req_id;
}

async function later(kit: Kit, seconds: number): Promise<void> {
  kit.clock.advance(seconds);
  await kit.get("/health");
  await kit.server.context.background.idle();
}

describe("Pings (CIBA, section 10.2)", () => {
  for (const decision of ["allow", "deny"] as const) {
    it(`C16 tell the client that the user has decided, with its token: ${decision}`, async () => {
      const { kit, sent, idle } = openPingKit();
      const authReqId = await begin(kit);
      assertEquals((await pollCiba(kit, authReqId)).body.error, "authorization_pending");
      await answerCiba(kit, { decision });
      await idle();
      assertEquals(sent, [{
        url: endpoint,
        method: "POST",
        redirect: "manual",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
        body: JSON.stringify({ auth_req_id: authReqId }),
      }]);
      const { status } = await pollCiba(kit, authReqId);
      assertEquals(status, decision === "allow" ? 200 : 400);
      assert(kit.events.some((event) => event.type === "ping.delivered"));
    });
  }

  it("C16 are sent once, whatever the client responds with success", async () => {
    const { kit, sent, statuses, idle } = openPingKit();
    statuses.push(200);
    await begin(kit);
    await answerCiba(kit);
    await idle();
    for (const seconds of [10, 60, 60]) await later(kit, seconds);
    assertEquals(sent.length, 1);
    const { pings, notifications } = cibaParts(kit.server.context);
    assertEquals([await pings.list(), await notifications.list()], [[], []]);
  });

  for (const status of [301, 302, 307, 400, 401, 403, 404, 410]) {
    it(`C17 are not repeated, and follow no redirect, after the status ${status}`, async () => {
      const { kit, sent, statuses, idle } = openPingKit();
      statuses.push(status);
      await begin(kit);
      await answerCiba(kit);
      await idle();
      for (const seconds of [10, 60, 3600]) await later(kit, seconds);
      assertEquals(sent.map(({ url }) => url), [endpoint]);
      assertEquals(failuresOf(kit), [[1, true]]);
      const { pings, notifications } = cibaParts(kit.server.context);
      assertEquals([await pings.list(), await notifications.list()], [[], []]);
    });
  }

  for (const status of [0, 408, 425, 429, 500, 503]) {
    const what = status === 0 ? "no connection" : `the status ${status}`;
    it(`C17 are tried again after 10 seconds and a minute after ${what}`, async () => {
      const { kit, sent, statuses, idle } = openPingKit();
      statuses.push(status, status, status);
      await begin(kit);
      await answerCiba(kit);
      await idle();
      const counts = [sent.length];
      for (const seconds of [9, 1, 59, 11, 3600]) {
        await later(kit, seconds);
        counts.push(sent.length);
      }
      assertEquals(counts, [1, 1, 2, 2, 3, 3]);
      assertEquals(failuresOf(kit), [[1, false], [2, false], [3, true]]);
    });
  }

  it("C17 are tried again after a response with an error page of any size", async () => {
    const { kit, sent, responses, idle } = openPingKit();
    responses.push(new Response("x".repeat(100_000), { status: 502 }));
    await begin(kit);
    await answerCiba(kit);
    await idle();
    await later(kit, 10);
    assertEquals(sent.length, 2);
  });

  const delays: Record<string, [retryAfter: string, seconds: number]> = {
    "a number of seconds": ["30", 30],
    "a date": [new Date(startOfTime + 20_000).toUTCString(), 20],
    "less than they would wait anyway": ["2", 10],
    "more than a minute": ["3600", 60],
    "a date in the past": [new Date(startOfTime - 20_000).toUTCString(), 10],
    "no time": ["soon", 10],
  };
  for (const [what, [retryAfter, seconds]] of Object.entries(delays)) {
    it(`C17 wait as Retry-After asks, up to a minute: ${what}`, async () => {
      const { kit, sent, responses, idle } = openPingKit();
      const headers = { "Retry-After": retryAfter, Date: new Date(startOfTime).toUTCString() };
      responses.push(new Response(null, { status: 503, headers }));
      await begin(kit);
      await answerCiba(kit);
      await idle();
      await later(kit, seconds - 1);
      assertEquals(sent.length, 1);
      // A server looks every ten seconds for what is due.
      await later(kit, 10);
      assertEquals(sent.length, 2);
    });
  }

  it("C17 are not tried more often because of a decision that comes too late", async () => {
    const { kit, sent, statuses } = openPingKit();
    statuses.push(500, 500, 500);
    await begin(kit);
    const browser = kit.browser();
    const page = await reviewRequest(kit, {}, browser);
    await answerCiba(kit);
    await later(kit, 11);
    await answerPages(browser, page, { decision: "deny" });
    for (const seconds of [11, 61, 61]) await later(kit, seconds);
    assertEquals(sent.length, 3);
  });

  it("C17 of one process are tried again by another one on its store", async () => {
    const store = memoryStore();
    const one = openPingKit({ store });
    one.statuses.push(500);
    await begin(one.kit);
    await answerCiba(one.kit);
    await one.idle();
    const other = openPingKit({ store });
    other.kit.clock.now = one.kit.clock.now;
    await later(other.kit, 10);
    assertEquals([one.sent.length, other.sent.length], [1, 1]);
  });

  it("C16 are sent once, even if another process began to look for attempts before", async () => {
    const store = memoryStore();
    const one = openPingKit({ store });
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
    await begin(one.kit);
    await answerCiba(one.kit);
    await one.idle();
    assertEquals([hasActed, one.sent.length, other.sent.length], [true, 1, 0]);
  });

  it("C16 are sent once by another process, wherever the one that stored the decision is killed", async () => {
    let store = interruptibleStore();
    const states = new Set<boolean>();
    const points = await interruptEachCall({
      async open(opened) {
        store = opened;
        const one = openPingKit({ store });
        const authReqId = await begin(one.kit);
        const browser = one.kit.browser();
        return { one, authReqId, browser, page: await reviewRequest(one.kit, {}, browser) };
      },
      async act({ one, browser, page }) {
        await answerPages(browser, page);
        await one.idle();
      },
      interruption: async () => store.fail(true),
      async check({ one, authReqId }, call) {
        await one.idle();
        store.fail(false);
        const other = openPingKit({ store });
        other.kit.clock.now = one.kit.clock.now;
        for (const seconds of [10, 60]) await later(other.kit, seconds);
        const { error } = (await pollCiba(other.kit, authReqId)).body;
        const isDecided = error !== "authorization_pending";
        states.add(isDecided);
        const [before, after] = [one.sent.length, other.sent.length];
        // One that was sent, and not marked, is sent again.
        const allowed = isDecided ? [1, 1 + before] : [0];
        assert(
          allowed.includes(before + after),
          `before call ${call}: ${before} and ${after} pings, then ${error}`,
        );
        if (isDecided) return;
        await answerCiba(other.kit);
        await other.idle();
        assertEquals(other.sent.length, 1, `decided after a death before call ${call}`);
      },
    });
    assert(points > 10 && states.size === 2, `${points} points of death`);
  });

  it("C16 end where the secret that encrypted them was replaced: the client polls", async () => {
    const { kit, sent, idle } = openPingKit();
    const authReqId = await begin(kit);
    const { notifications, pings } = cibaParts(kit.server.context);
    for (const [id, row] of await notifications.list()) {
      await notifications.put(id, { ...row, sealed: "sealed:of an earlier secret" }, forever);
    }
    await answerCiba(kit);
    await idle();
    await later(kit, 10);
    const failed = kit.events.filter((event) => event.type === "ping.failed");
    assertEquals(failed.map(({ isLast }) => isLast), [true]);
    assertEquals([sent, await pings.list(), await notifications.list()], [[], [], []]);
    assertEquals((await pollCiba(kit, authReqId)).status, 200);
  });

  it("C16 are sent to no client that polls, even if it sends a token", async () => {
    const { kit, sent, idle } = openPingKit({ clients: [agent()] });
    await begin(kit);
    await answerCiba(kit);
    await idle();
    assertEquals(sent, []);
  });

  it("C16 keep its secrets readable in one row without a secret of the server, and until they are sent", async () => {
    const store = memoryStore();
    const readable = async (secrets: readonly string[]) => {
      const kinds = ["notification", "ping", "auth-req-id", "backchannel-request"];
      const rows = await Promise.all(kinds.map((kind) => store.list(kind, { limit: 100 })));
      return kinds.filter((_, at) =>
        secrets.some((secret) => JSON.stringify(rows[at]).includes(secret))
      );
    };
    const { kit, idle } = openPingKit({ store });
    const secrets = [token, await begin(kit)];
    assertEquals(await readable(secrets), ["notification"]);
    await answerCiba(kit);
    await idle();
    assertEquals(await readable(secrets), []);
  });

  const encryption = needs("encryption at rest");
  it(
    "C16 keep the token of the client secret, where the store is encrypted",
    encryption,
    async () => {
      const store = watchedStore();
      const kit = openStrictKit({
        store,
        grantTypes: [cibaGrant, "refresh_token"],
        clients: [agent({ ...ping, secret: "0123456789-0123456789-0123456789" })],
        secret: "0123456789-0123456789-0123456789-a",
      });
      const headers = basic("demo-agent", "0123456789-0123456789-0123456789");
      const { body } = await beginCiba(kit, {
        scope: "openid",
        client_notification_token: token,
      }, headers);
      const written = store.texts.join();
      assertEquals(body.expires_in, 300);
      assert(!written.includes(token) && !written.includes(body.auth_req_id));
    },
  );

  const tokens: Record<string, [rule: string, client_notification_token: string | undefined]> = {
    "C16 no client_notification_token": ["backchannel.notification_token", undefined],
    "C16 a token that can be guessed": ["backchannel.notification_token_form", "abc"],
    "C16 a token that is too long": ["backchannel.notification_token_form", "x".repeat(1025)],
    "C16 a token that is no bearer token": [
      "backchannel.notification_token_form",
      "a token with spaces that is long",
    ],
  };
  itRefuses(
    toRows(tokens, ([rule, client_notification_token]) => [
      rule,
      (kit) => beginCiba(kit, { client_notification_token }),
    ]),
    { settings: { clients: [agent(ping)] } },
  );

  it("C16 need an endpoint with https", () => {
    const secret = "0123456789-0123456789-0123456789";
    const config = (client: object) =>
      problemsOf({
        issuer: "https://id.example",
        grantTypes: [cibaGrant],
        clients: [{ id: "a", secret, grantTypes: [cibaGrant], ...client }],
      });
    assertEquals(config({ backchannelDeliveryMode: "ping" }), [
      "clients[0].backchannelNotificationEndpoint is missing, but the client waits for pings",
    ]);
    assertEquals(
      config({ ...ping, backchannelNotificationEndpoint: "http://agent.example/ping" }),
      [
        "clients[0].backchannelNotificationEndpoint uses http with the host 'agent.example', " +
        "which is not loopback",
      ],
    );
    assertEquals(config({ backchannelUserCode: true }), [
      "clients[0].backchannelUserCode needs userCodes, which this server does not have",
    ]);
  });
});
