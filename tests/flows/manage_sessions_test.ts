import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { list as listAuthorizations } from "../../src/administration/authorizations.ts";
import {
  end as endSessionById,
  list as streamSessionEntries,
} from "../../src/administration/sessions.ts";
import { signOut as signOutUser } from "../../src/administration/users.ts";
import type { Context } from "../../src/server/issuer/context.ts";
import { listChanges } from "../../src/server/issuer/directory/changes.ts";
import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { type Kit, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const redeemed = async (kit: Kit, user: string, scope = "openid read") => {
  const code = await kit.code({ scope }, { user });
  return (await kit.redeem(code)).body;
};

const userinfo = async (kit: Kit, token: string) => (await kit.userinfo(token)).status;

const listSessionEntries = (ctx: Context, user?: string) =>
  Array.fromAsync(streamSessionEntries(ctx, user));

describe("listSessionEntries", () => {
  it("lists active sessions with their clients, those of one user the most recent first", async () => {
    const kit = openKit();
    await redeemed(kit, "alice");
    kit.clock.advance(60);
    await redeemed(kit, "bob");
    const entries = await listSessionEntries(kit.server.context);
    assertEquals(
      entries.map(({ session, clientIds }) => [session.userName, clientIds]),
      [["alice", ["demo-spa"]], ["bob", ["demo-spa"]]],
    );
    kit.clock.advance(60);
    await redeemed(kit, "alice");
    const ofAlice = await listSessionEntries(kit.server.context, "alice");
    const [latest = 0, first = 0] = ofAlice.map(({ session }) => session.authTime);
    assertEquals([ofAlice.length, latest - first], [2, 120]);
  });

  it("leaves out what has ended", async () => {
    const kit = openKit();
    await redeemed(kit, "alice");
    await signOutUser(kit.server.context, "alice");
    assertEquals(await listSessionEntries(kit.server.context), []);
    await redeemed(kit, "bob");
    kit.clock.advance(kit.server.context.settings.lifetimes.session);
    assertEquals(await listSessionEntries(kit.server.context), []);
  });
});

describe("endSessionById", () => {
  it("ends one session and what was issued in it, and no other session of the user", async () => {
    const kit = openKit();
    const { context } = kit.server;
    const first = await redeemed(kit, "alice");
    kit.clock.advance(1);
    const second = await redeemed(kit, "alice");
    const [, older] = await listSessionEntries(context, "alice");
    const { sid } = present(older).session;
    const action = { by: "root", command: "session end" };
    await endSessionById({ ...context, action }, sid);
    assertEquals(await userinfo(kit, first.access_token), 401);
    assertEquals(await userinfo(kit, second.access_token), 200);
    assertEquals((await listSessionEntries(context)).length, 1);
    const authorizations = await Array.fromAsync(listAuthorizations(context));
    assertEquals(authorizations.some((each) => each.sid === sid), false);
    assertEquals(authorizations.length, 1);
    const [change] = await listChanges(context);
    assertEquals([change?.target, change?.details], [sid, ["user alice"]]);
  });

  it("refuses a session that is not active", async () => {
    const kit = openKit();
    const { context } = kit.server;
    await redeemed(kit, "alice");
    const [entry] = await listSessionEntries(context);
    const { sid } = present(entry).session;
    await endSessionById(context, sid);
    await assertRejects(() => endSessionById(context, sid), AdminError, "There is no session");
  });
});
