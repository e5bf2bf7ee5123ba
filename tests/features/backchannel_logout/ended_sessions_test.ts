import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../../src/administration/clients.ts";
import { logoutDeliveries } from "../../../src/server/features/backchannel_logout/logout_deliveries.ts";
import { markSessionEnded } from "../../../src/server/issuer/sessions/sessions.ts";
import { openKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";

const redirectUris = ["https://hallpass.test/authorized"];
const app = { id: "app", redirectUris, backchannelLogoutUri: "https://app.example/logout" };

/**
 * A server whose clients respond to a logout token with a status, and one session of two clients.
 */
async function openSession(status = 200) {
  const fetched: string[] = [];
  const kit = openKit({
    fetch: async (url) => {
      fetched.push(url);
      return await Promise.resolve(new Response("", { status }));
    },
  });
  const ctx = kit.server.context;
  await addClient(ctx, app);
  const browser = kit.browser();
  await browser.authorize(kit.authorizationUrl({ client_id: "demo-spa", scope: "openid" }));
  const open = (client_id: string) =>
    browser.authorize(kit.authorizationUrl({ client_id, scope: "openid" }));
  const session = async () => present((await ctx.records.userSessions.list())[0])[1];
  const worked = () => kit.events.filter(({ type }) => type === "work.finished").length;
  return { kit, ctx, fetched, open, session, worked };
}

describe("A session that ended", () => {
  it("causes no work if no client wants to know", async () => {
    const { ctx, session, worked } = await openSession();
    await markSessionEnded(ctx, await session());
    await ctx.background.idle();
    assertEquals(worked(), 0);
  });

  it("leaves no delivery once the clients know", async () => {
    const { ctx, fetched, open, session, worked } = await openSession();
    await open("app");
    await markSessionEnded(ctx, await session());
    await ctx.background.idle();
    assertEquals([fetched, worked()], [[app.backchannelLogoutUri], 1]);
    assertEquals(await logoutDeliveries(ctx).list(), []);
  });

  it("leaves one delivery while a client fails, and none once it is gone", async () => {
    const { kit, ctx, fetched, open, session } = await openSession(500);
    await open("app");
    await markSessionEnded(ctx, await session());
    await ctx.background.idle();
    const [[, delivery] = [], ...others] = await logoutDeliveries(ctx).list();
    assertEquals([delivery?.attempt, delivery?.dueAt, others], [2, kit.clock.now + 30_000, []]);
    await ctx.records.clients.delete("app");
    kit.clock.advance(30);
    await kit.server.fetch(new Request(`${kit.issuer}/.well-known/openid-configuration`));
    await ctx.background.idle();
    assertEquals([await logoutDeliveries(ctx).list(), fetched.length], [[], 1]);
  });
});
