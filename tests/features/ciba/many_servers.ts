import { assertEquals } from "@std/assert";
import type { Store } from "../../../src/server/store/store.ts";
import { answerPages, textOf } from "../../support/browser.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  cibaGrant,
  openRequest,
  pingToken,
  pollCiba,
  receivePings,
  reviewRequest,
  withPings,
} from "../../support/ciba.ts";
import { itWith } from "../../support/it_with.ts";
import {
  basic,
  type Fields,
  isActive,
  type Kit,
  openStrictKit,
  seesTokens,
  startOfTime,
} from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const secret = "0123456789-0123456789-0123456789";
const asAgent = basic("demo-agent", secret);

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const clients = ["demo-agent", "pinged", ...ids].map((id) =>
  agent({ id, secret, ...seesTokens, ...id === "pinged" && withPings })
);

/** Polls that come too early, until one does not. */
const slowPolls: ReadonlyArray<[seconds: number, error: string]> = [
  [4, "slow_down"],
  [9, "slow_down"],
  [15, "authorization_pending"],
];

let tests = 0;

/** Servers on one store. Each has connections of its own, and is gone once it is restarted. */
async function openServers(openStore: () => Store | Promise<Store>) {
  const { pings, responses, fetch } = receivePings();
  // What an earlier test stored has expired.
  const clock = { now: startOfTime + ++tests * 24 * 60 * 60 * 1000 };
  const open = async (): Promise<Kit> => {
    const kit = openStrictKit({
      ...{ clients, fetch, store: await openStore() },
      grantTypes: [cibaGrant, "refresh_token"],
      secret: "0123456789-0123456789-0123456789-a",
      backchannelRequestsPerMinute: 4,
    });
    kit.clock.now = clock.now;
    return kit;
  };
  const servers = {
    ...{ pings, responses, one: await open(), other: await open() },
    each: () => [servers.one, servers.other],
    /** Lets time pass on both servers, and their tasks run. */
    async wait(seconds: number) {
      for (const kit of servers.each()) kit.clock.advance(seconds);
      clock.now = servers.one.clock.now;
      for (const kit of servers.each()) await kit.get("/health");
      for (const kit of servers.each()) await kit.server.context.background.idle();
    },
    async restart() {
      await servers.one.server.close();
      servers.one = await open();
    },
    async [Symbol.asyncDispose]() {
      for (const kit of servers.each()) await kit.server.close();
    },
  };
  return servers;
}

type Servers = Awaited<ReturnType<typeof openServers>>;

/** Sends a request about alice, and returns the `auth_req_id`. */
async function begin(kit: Kit, headers = asAgent, fields: Fields = {}): Promise<string> {
  const { begun } = await openRequest(kit, { scope: "openid", ...fields }, headers);
  assertEquals(begun.error_description, undefined);
  return begun.auth_req_id;
}

const poll = (kit: Kit, authReqId: string, headers = asAgent) =>
  pollCiba(kit, authReqId, {}, headers);

async function errorOf(kit: Kit, authReqId: string, headers = asAgent) {
  return (await poll(kit, authReqId, headers)).body.error;
}

async function ask(kit: Kit, id: string): Promise<number> {
  const fields = { scope: "openid", requested_expiry: "1" };
  return (await beginCiba(kit, fields, basic(id, secret))).status;
}

/** Opens the request in a browser of each server, and decides in both at once. */
async function decideTwice(kits: readonly Kit[], decisions: ReadonlyArray<"allow" | "deny">) {
  const tabs = await Promise.all(kits.map(async (kit) => {
    const browser = kit.browser();
    return { browser, page: await reviewRequest(kit, {}, browser) };
  }));
  const pages = await Promise.all(
    tabs.map(({ browser, page }, at) =>
      answerPages(browser, page, { decision: present(decisions[at]) })
    ),
  );
  const texts = pages.map(({ html }) => textOf(html));
  assertEquals(texts.filter((text) => text.includes("already decided")).length, 1);
  return texts;
}

/** Adds tests of two servers on a store. */
export function itServesFromMany(
  openStore: () => Store | Promise<Store>,
  skip: string | false = false,
): void {
  const it = itWith({ onBoth: () => openServers(openStore) });
  const itOnBoth = (title: string, act: (servers: Servers) => unknown) =>
    it.onBoth(title, { skip }, act);

  itOnBoth("C12 C13 loses nothing when a server restarts", async (servers) => {
    const id = await begin(servers.one);
    assertEquals(await errorOf(servers.one, id), "authorization_pending");
    for (const [seconds, error] of slowPolls) {
      await servers.restart();
      await servers.wait(seconds);
      assertEquals(await errorOf(servers.one, id), error);
    }
    await answerCiba(servers.other);
    await servers.restart();
    const { status, body } = await poll(servers.one, id);
    assertEquals(status, 200);
    await servers.restart();
    assertEquals(await isActive(servers.one, body.access_token, asAgent), true);
    assertEquals(await errorOf(servers.other, id), "invalid_grant");
    assertEquals(await isActive(servers.one, body.access_token, asAgent), false);
  });

  itOnBoth("C16 sends a ping once more after a restart, and not again", async (servers) => {
    servers.responses.push(503);
    const id = await begin(servers.one, basic("pinged", secret), pingToken);
    await answerCiba(servers.one);
    await servers.one.server.context.background.idle();
    await servers.restart();
    assertEquals(servers.pings.length, 1);
    for (const seconds of [10, 60, 600]) await servers.wait(seconds);
    const body = JSON.stringify({ auth_req_id: id });
    assertEquals(servers.pings.map((ping) => ping.body), [body, body]);
  });

  for (const second of ["allow", "deny"] as const) {
    itOnBoth(
      `C23 takes the first of two decisions at once: allow and ${second}`,
      async ({ one, other }) => {
        const id = await begin(one);
        const pages = await decideTwice([one, other], ["allow", second]);
        const isAllowed = pages.some((text) => text.includes("Request allowed"));
        assertEquals(isAllowed || second === "deny", true);
        const { status, body } = await poll(other, id);
        assertEquals([status, body.error], isAllowed ? [200, undefined] : [400, "access_denied"]);
        if (isAllowed) assertEquals(await isActive(one, body.access_token, asAgent), true);
      },
    );
  }

  itOnBoth("C12 issues tokens once among many polls", async ({ one, other }) => {
    const id = await begin(one);
    await answerCiba(one);
    const polls = Array.from({ length: 10 }, () => [poll(one, id), poll(other, id)]);
    const won = (await Promise.all(polls.flat())).filter(({ status }) => status === 200);
    assertEquals(won.length, 1);
    assertEquals(await isActive(other, present(won[0]).body.access_token, asAgent), false);
  });

  itOnBoth("C18 asks once for twenty requests at once", async ({ one, other }) => {
    const asked = Array.from({ length: 10 }, () => [ask(one, "a"), ask(other, "a")]);
    const statuses = await Promise.all(asked.flat());
    assertEquals(statuses.filter((status) => status === 200).length, 1);
    const events = [one, other].flatMap((kit) => kit.events);
    assertEquals(events.filter(({ type }) => type === "backchannel.began").length, 1);
    // What was refused does not count.
    assertEquals([await ask(one, "b"), await ask(other, "c"), await ask(one, "d")], [
      200,
      200,
      200,
    ]);
  });

  itOnBoth(
    "C18 limits what many clients ask a user at once, and counts no refusal",
    async ({ one, other }) => {
      const askOf = (id: string, at: number) => ask(at % 2 === 0 ? one : other, id);
      const statuses = await Promise.all(ids.map(askOf));
      for (const [at, id] of ids.entries()) statuses.push(await askOf(id, at));
      assertEquals(statuses.filter((status) => status === 200).length, 4);
    },
  );

  itOnBoth("C18 counts what other servers asked a user, also after a restart", async (servers) => {
    const askLater = async (id: string, kit: Kit) => {
      const status = await ask(kit, id);
      await servers.wait(1);
      return status;
    };
    const statuses: number[] = [];
    // One client has a third of what all have, rounded up.
    for (const id of ["a", "a", "b", "c"]) {
      statuses.push(await askLater(id, servers.one), await askLater(id, servers.other));
      await servers.restart();
    }
    assertEquals(statuses, [200, 200, 429, 429, 200, 200, 429, 429]);
  });
}
