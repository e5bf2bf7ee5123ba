import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import type { Config } from "../../../../src/server/features.ts";
import { postgresStore } from "../../../../src/server/store/postgres.ts";
import { redisStore } from "../../../../src/server/store/redis.ts";
import type { Store } from "../../../../src/server/store/store.ts";
import { answerPages, textOf } from "../../../support/browser.ts";
import {
  agent,
  answerCiba,
  beginCiba,
  cibaGrant,
  pollCiba,
  reviewRequest,
} from "../../../support/ciba.ts";
import { itWith } from "../../../support/it_with.ts";
import {
  basic,
  type Fields,
  isActive,
  type Kit,
  openStrictKit,
  seesTokens,
  startOfTime,
} from "../../../support/kit.ts";
import { postgresMissing, startPostgres } from "../../../support/postgres_server.ts";
import { present } from "../../../support/present.ts";
import { redisMissing, startRedis } from "../../../support/redis_server.ts";

type OpenStore = () => Store | Promise<Store>;

interface Engine {
  name: string;
  skip: string | false;
  /** Starts it empty, and returns what opens a store on it. */
  start(): Promise<OpenStore>;
}

const engines: Engine[] = [
  {
    name: "PostgreSQL",
    skip: postgresMissing,
    async start() {
      const { url } = await startPostgres();
      return () => postgresStore(url);
    },
  },
  {
    name: "Redis",
    skip: redisMissing,
    async start() {
      const { url } = await startRedis();
      return () => redisStore(url);
    },
  },
];

const endpoint = "https://agent.example/ping";
const token = "8d67dc78-7faa-4d41-aabd-67707b374255";
const secret = "0123456789-0123456789-0123456789";
const withPings = {
  backchannelDeliveryMode: "ping",
  backchannelNotificationEndpoint: endpoint,
} as const;

const clients = [
  { id: "demo-agent", changes: {} },
  { id: "pinged", changes: withPings },
  ...["a", "b", "c", "d"].map((id) => ({ id, changes: {} })),
].map(({ id, changes }) => agent({ id, secret, ...seesTokens, ...changes }));

const [asAgent, asPinged] = [basic("demo-agent", secret), basic("pinged", secret)];

/** Polls that come too early, until one does not. */
const slowPolls: ReadonlyArray<[seconds: number, error: string]> = [
  [4, "slow_down"],
  [9, "slow_down"],
  [15, "authorization_pending"],
];

let tests = 0;

/** Servers on one store. Each has connections of its own, and is gone once it is restarted. */
async function openNodes(openStore: OpenStore) {
  const pings: string[] = [];
  const statuses: number[] = [];
  // What an earlier test stored has expired.
  const clock = { now: startOfTime + ++tests * 24 * 60 * 60 * 1000 };
  const config: Partial<Config> = {
    clients,
    grantTypes: [cibaGrant, "refresh_token"],
    secret: "0123456789-0123456789-0123456789-a",
    backchannelRequestsPerMinute: 6,
    fetch: (_, { body = "" }) => {
      pings.push(String(body));
      return Promise.resolve(new Response(null, { status: statuses.shift() ?? 204 }));
    },
  };
  const open = async (): Promise<Kit> => {
    const kit = openStrictKit({ ...config, store: await openStore() });
    kit.clock.now = clock.now;
    return kit;
  };
  const one = await open();
  const nodes = {
    pings,
    statuses,
    one,
    other: await open(),
    /** Lets time pass on both servers, and their tasks run. */
    async wait(seconds: number) {
      for (const kit of [nodes.one, nodes.other]) kit.clock.advance(seconds);
      clock.now = nodes.one.clock.now;
      for (const kit of [nodes.one, nodes.other]) await kit.get("/health");
      for (const kit of [nodes.one, nodes.other]) await kit.server.context.background.idle();
    },
    async restart() {
      await nodes.one.server.close();
      nodes.one = await open();
    },
    async [Symbol.asyncDispose]() {
      for (const kit of [nodes.one, nodes.other]) await kit.server.close();
    },
  };
  return nodes;
}

/** Sends a request about alice, and returns the `auth_req_id`. */
async function begin(kit: Kit, headers = asAgent, fields: Fields = {}): Promise<string> {
  const { status, body } = await beginCiba(kit, { scope: "openid", ...fields }, headers);
  assertEquals([status, body.error_description], [200, undefined]);
  return body.auth_req_id;
}

const poll = (kit: Kit, authReqId: string, headers = asAgent) =>
  pollCiba(kit, authReqId, {}, headers);

async function errorOf(kit: Kit, authReqId: string, headers = asAgent) {
  return (await poll(kit, authReqId, headers)).body.error;
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
  return pages.map(({ html }) => textOf(html));
}

for (const { name, skip, start } of engines) {
  // Outside of the tests, which share it.
  const openStore = skip ? undefined : await start();
  const it = itWith({ onTwoServers: () => openNodes(present(openStore)) });

  describe(`CIBA on ${name}`, () => {
    it.onTwoServers("C12 C13 loses nothing when a server restarts", { skip }, async (nodes) => {
      const id = await begin(nodes.one);
      assertEquals(await errorOf(nodes.one, id), "authorization_pending");
      for (const [seconds, error] of slowPolls) {
        await nodes.restart();
        await nodes.wait(seconds);
        assertEquals(await errorOf(nodes.one, id), error);
      }
      await answerCiba(nodes.other);
      await nodes.restart();
      const { status, body } = await poll(nodes.one, id);
      assertEquals(status, 200);
      await nodes.restart();
      assertEquals(await isActive(nodes.one, body.access_token, asAgent), true);
      assertEquals(await errorOf(nodes.other, id), "invalid_grant");
      assertEquals(await isActive(nodes.one, body.access_token, asAgent), false);
    });

    it.onTwoServers(
      "C16 sends a ping once more after a restart, and not again",
      { skip },
      async (nodes) => {
        const { pings, statuses } = nodes;
        statuses.push(503);
        const id = await begin(nodes.one, asPinged, { client_notification_token: token });
        await answerCiba(nodes.one);
        await nodes.one.server.context.background.idle();
        await nodes.restart();
        assertEquals(pings.length, 1);
        for (const seconds of [10, 60, 600]) await nodes.wait(seconds);
        assertEquals(pings, [1, 2].map(() => JSON.stringify({ auth_req_id: id })));
      },
    );

    it.onTwoServers("C23 takes one of two approvals at once", { skip }, async ({ one, other }) => {
      const id = await begin(one);
      const pages = await decideTwice([one, other], ["allow", "allow"]);
      assertEquals(pages.filter((text) => text.includes("Request allowed")).length, 1);
      assertEquals(pages.filter((text) => text.includes("already decided")).length, 1);
      const { status, body } = await poll(other, id);
      assertEquals([status, await isActive(one, body.access_token, asAgent)], [200, true]);
    });

    it.onTwoServers("C23 takes the first of two decisions", { skip }, async ({ one, other }) => {
      const id = await begin(one);
      const pages = await decideTwice([one, other], ["allow", "deny"]);
      const isAllowed = pages.some((text) => text.includes("Request allowed"));
      assertEquals(pages.filter((text) => text.includes("already decided")).length, 1);
      const errors = [await errorOf(other, id), await errorOf(one, id)];
      const denied = ["access_denied", "access_denied"];
      assertEquals(errors, isAllowed ? [undefined, "invalid_grant"] : denied);
    });

    it.onTwoServers("C12 issues tokens once among many polls", { skip }, async ({ one, other }) => {
      const id = await begin(one);
      await answerCiba(one);
      const polls = Array.from({ length: 10 }, () => [poll(one, id), poll(other, id)]);
      const all = await Promise.all(polls.flat());
      const won = all.filter(({ status }) => status === 200);
      assertEquals(won.length, 1);
      assertEquals(await isActive(other, present(won[0]).body.access_token, asAgent), false);
    });

    it.onTwoServers(
      "C12 refuses another client, which changes nothing",
      { skip },
      async ({ one, other }) => {
        const id = await begin(one);
        const asOther = basic("a", secret);
        assertEquals(await errorOf(other, id, asOther), "invalid_grant");
        assertEquals(await errorOf(one, id), "authorization_pending");
        await answerCiba(one);
        assertEquals(await errorOf(other, id, asOther), "invalid_grant");
        const { status, body } = await poll(other, id);
        assertEquals([status, await isActive(one, body.access_token, asAgent)], [200, true]);
      },
    );

    it.onTwoServers(
      "C18 asks once for twenty requests at once",
      { skip },
      async ({ one, other }) => {
        const ask = (kit: Kit) => beginCiba(kit, { scope: "openid" }, asAgent);
        const asked = Array.from({ length: 10 }, () => [ask(one), ask(other)]);
        const all = await Promise.all(asked.flat());
        assertEquals(all.filter(({ status }) => status === 200).length, 1);
      },
    );

    it.onTwoServers(
      "C18 counts what other servers asked a user, also after a restart",
      { skip },
      async (nodes) => {
        const ask = async (kit: Kit, id: string) => {
          const fields = { scope: "openid", requested_expiry: "1" };
          const { status } = await beginCiba(kit, fields, basic(id, secret));
          await nodes.wait(1);
          return status;
        };
        // One client has a third of what all have.
        assertEquals([await ask(nodes.one, "a"), await ask(nodes.other, "a")], [200, 200]);
        await nodes.restart();
        assertEquals([await ask(nodes.one, "a"), await ask(nodes.other, "a")], [429, 429]);
        const statuses: number[] = [];
        for (const id of ["b", "c", "d"]) {
          statuses.push(await ask(nodes.one, id), await ask(nodes.other, id));
        }
        assertEquals(statuses, [200, 200, 200, 200, 429, 429]);
      },
    );
  });
}
