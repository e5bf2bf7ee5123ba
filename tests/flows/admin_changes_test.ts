import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import * as clients from "../../src/administration/clients.ts";
import * as users from "../../src/administration/users.ts";
import { type AdminContext, listChanges } from "../../src/server/issuer/directory/changes.ts";
import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { day } from "../../src/server/util/time/duration.ts";
import { itWith } from "../support/it_with.ts";
import { type Kit, openKit } from "../support/kit.ts";

const it = itWith({ inBoth: openBoth });

const app = {
  id: "app",
  secret: "app-secret-of-22-chars",
  redirectUris: ["https://hallpass.test/authorized"],
};
const dora = { name: "dora", password: "dora-password", claims: { email: "dora@x.example" } };

/** An administrator at the terminal, and a server that runs on the same store. */
function openBoth(): { kit: Kit; admin: Kit; as: (command: string) => AdminContext } {
  const store = memoryStore();
  const admin = openKit({ store });
  const { context } = admin.server;
  const as = (command: string) => ({
    ...context,
    action: { by: "root", command, configuration: "hallpass.json" },
  });
  return { kit: openKit({ store }), admin, as };
}

/** Everything that an administrator can change, in an order that works. */
const changes: Array<[command: string, target: string, act: (ctx: AdminContext) => unknown]> = [
  ["client add", "app", (ctx) => clients.add(ctx, app)],
  ["client disable", "app", (ctx) => clients.disable(ctx, "app")],
  ["client enable", "app", (ctx) => clients.enable(ctx, "app")],
  ["user add", "dora", (ctx) => users.add(ctx, dora)],
  ["user password", "dora", (ctx) => users.setPassword(ctx, "dora", "another-password")],
  ["user disable", "dora", (ctx) => users.disable(ctx, "dora")],
  ["user enable", "dora", (ctx) => users.enable(ctx, "dora")],
  ["user sign-out", "dora", (ctx) => users.signOut(ctx, "dora")],
  ["user sign-out", "alice", (ctx) => users.signOut(ctx, "alice")],
  ["user remove", "dora", (ctx) => users.remove(ctx, "dora")],
  ["client remove", "app", (ctx) => clients.remove(ctx, "app")],
];

/** Changes that are refused. */
const refusals: Array<[what: string, act: (ctx: AdminContext) => Promise<unknown>]> = [
  ["a client that is not there", (ctx) => clients.remove(ctx, "nobody")],
  ["a client of the configuration", (ctx) => clients.disable(ctx, "demo-spa")],
  ["a user of the configuration", (ctx) => users.remove(ctx, "alice")],
  ["a user whose name is taken", (ctx) => users.add(ctx, { name: "alice" })],
];

describe("Each change by an administrator", () => {
  it.inBoth("is a row in the store, in its order", async ({ admin, as }) => {
    for (const [command, , act] of changes) {
      await act(as(command));
      admin.clock.advance(1);
    }
    assertEquals(
      (await listChanges(admin.server.context)).map(({ by, command, target }) => [
        by,
        command,
        target,
      ]),
      changes.map(([command, target]) => ["root", command, target]),
    );
  });

  it.inBoth("is recorded without a secret and without the claims of a user", async ({ admin, as }) => {
    for (const [command, , act] of changes) await act(as(command));
    const text = JSON.stringify(await listChanges(admin.server.context));
    assert(
      !/app-secret|(dora|another)-password|dora@x\.example|passwordHash|epoch/.test(text),
      text,
    );
  });

  it.inBoth("is an event of the running server, once", async ({ kit, as }) => {
    await clients.add(as("client add"), app);
    for (const seconds of [6, 6, 120, 6]) {
      kit.clock.advance(seconds);
      await kit.get("/health");
      await kit.server.context.background.idle();
    }
    assertEquals(kit.events.filter(({ type }) => type === "admin.changed"), [{
      type: "admin.changed",
      at: "2026-01-01T00:00:00.000Z",
      by: "root",
      command: "client add",
      target: "app",
      details: [],
    }]);
  });

  it.inBoth("is found by a server although the clock of the other machine is slow", async ({ kit, admin, as }) => {
    kit.clock.advance(6);
    await kit.get("/health");
    await users.add(as("user add"), dora);
    assertEquals(admin.clock.now < kit.clock.now, true);
    kit.clock.advance(6);
    await kit.get("/health");
    await kit.server.context.background.idle();
    assertEquals(kit.events.filter(({ type }) => type === "admin.changed").length, 1);
  });

  it.inBoth("is kept for a year", async ({ admin, as }) => {
    const { context } = admin.server;
    await clients.add(as("client add"), app);
    admin.clock.advance(364 * day);
    assertEquals((await listChanges(context)).length, 1);
    admin.clock.advance(1 * day);
    assertEquals((await listChanges(context)).length, 0);
  });
});

describe("A refused change", () => {
  for (const [what, act] of refusals) {
    it.inBoth(`leaves no row: ${what}`, async ({ admin, as }) => {
      await assertRejects(() => act(as("client remove")), AdminError);
      assertEquals(await listChanges(admin.server.context), []);
    });
  }

  it.inBoth("names the configuration file in which a client or user can be changed", async ({ as }) => {
    await assertRejects(
      () => users.remove(as("user remove"), "alice"),
      AdminError,
      "The user 'alice' is in the configuration hallpass.json and can only be changed there.",
    );
  });
});
