import { assert, assertEquals } from "@std/assert";
import type { Store } from "../../../src/server/store/store.ts";
import { agent, answerCiba, beginCiba, cibaGrant, pollCiba } from "../../support/ciba.ts";
import { itWith } from "../../support/it_with.ts";
import {
  basic,
  isActive,
  type Kit,
  openStrictKit,
  seesTokens,
  startOfTime,
} from "../../support/kit.ts";

const secret = "0123456789-0123456789-0123456789";
const asAgent = basic("demo-agent", secret);

const ids = ["a", "b", "c", "d", "e", "f", "g", "h"];
const clients = ["demo-agent", ...ids].map((id) => agent({ id, secret, ...seesTokens }));

/** Polls of which some come too early. */
const polls: ReadonlyArray<[seconds: number, error: string]> = [
  [0, "authorization_pending"],
  [4, "slow_down"],
  [9, "slow_down"],
  [15, "authorization_pending"],
];

let tests = 0;

/** Servers on one store. Each has connections of its own, and is gone once it is restarted. */
async function openServers(openStore: () => Store | Promise<Store>) {
  // What an earlier test stored has expired.
  const clock = { now: startOfTime + ++tests * 24 * 60 * 60 * 1000 };
  const open = async (): Promise<Kit> => {
    const kit = openStrictKit({
      ...{ clients, store: await openStore() },
      grantTypes: [cibaGrant, "refresh_token"],
      secret: "0123456789-0123456789-0123456789-a",
      backchannelRequestsPerMinute: 4,
    });
    kit.clock.now = clock.now;
    return kit;
  };
  const servers = {
    ...{ one: await open(), other: await open() },
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

async function ask(kit: Kit, id: string): Promise<number> {
  const fields = { scope: "openid", requested_expiry: "1" };
  return (await beginCiba(kit, fields, basic(id, secret))).status;
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
    const { auth_req_id } = (await beginCiba(servers.one, { scope: "openid" }, asAgent)).body;
    const pollAt = (kit: Kit) => pollCiba(kit, auth_req_id, {}, asAgent);
    for (const [seconds, error] of polls) {
      await servers.wait(seconds);
      assertEquals((await pollAt(servers.one)).body.error, error);
      await servers.restart();
    }
    await answerCiba(servers.other);
    const { status, body } = await pollAt(servers.one);
    assertEquals(status, 200);
    await servers.restart();
    assertEquals(await isActive(servers.one, body.access_token, asAgent), true);
    assertEquals((await pollAt(servers.other)).body.error, "invalid_grant");
    assertEquals(await isActive(servers.one, body.access_token, asAgent), false);
  });

  itOnBoth("C18 keeps one of two requests at once", async ({ one, other }) => {
    const begun = await Promise.all(
      [one, other].map((kit) => beginCiba(kit, { scope: "openid" }, asAgent)),
    );
    assertEquals(begun.map(({ status }) => status), [200, 200]);
    const errors = await Promise.all(
      begun.map(async ({ body: { auth_req_id } }, at) =>
        (await pollCiba(at === 0 ? other : one, auth_req_id, {}, asAgent)).body.error
      ),
    );
    assertEquals(errors.sort(), ["authorization_pending", "expired_token"]);
  });

  itOnBoth(
    "C18 lets a client ask as often as it may of twenty requests at once",
    async ({ one, other }) => {
      const asked = Array.from({ length: 10 }, () => [ask(one, "a"), ask(other, "a")]);
      const statuses = await Promise.all(asked.flat());
      const count = statuses.filter((status) => status === 200).length;
      assert(count <= 2, `${count} of them`);
      const events = [one, other].flatMap((kit) => kit.events);
      assertEquals(events.filter(({ type }) => type === "backchannel.began").length, count);
      // What was refused does not count.
      assertEquals([await ask(one, "b"), await ask(other, "c")], [200, 200]);
    },
  );

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
