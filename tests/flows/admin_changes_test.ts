import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import {
  add as addClient,
  disable as disableClient,
  enable as enableClient,
  remove as removeClient,
} from "../../src/administration/clients.ts";
import {
  add as addUser,
  disable as disableUser,
  enable as enableUser,
  remove as removeUser,
  setPassword,
  signOut as signOutUser,
} from "../../src/administration/users.ts";
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
  ["client add", "app", (ctx) => addClient(ctx, app)],
  ["client disable", "app", (ctx) => disableClient(ctx, "app")],
  ["client enable", "app", (ctx) => enableClient(ctx, "app")],
  ["user add", "dora", (ctx) => addUser(ctx, dora)],
  ["user password", "dora", (ctx) => setPassword(ctx, "dora", "another-password")],
  ["user disable", "dora", (ctx) => disableUser(ctx, "dora")],
  ["user enable", "dora", (ctx) => enableUser(ctx, "dora")],
  ["user sign-out", "dora", (ctx) => signOutUser(ctx, "dora")],
  ["user sign-out", "alice", (ctx) => signOutUser(ctx, "alice")],
  ["user remove", "dora", (ctx) => removeUser(ctx, "dora")],
  ["client remove", "app", (ctx) => removeClient(ctx, "app")],
];

/** Changes that are refused. */
const refusals: Array<[what: string, act: (ctx: AdminContext) => Promise<unknown>]> = [
  ["a client that is not there", (ctx) => removeClient(ctx, "nobody")],
  ["a client of the configuration", (ctx) => disableClient(ctx, "demo-spa")],
  ["a user of the configuration", (ctx) => removeUser(ctx, "alice")],
  ["a user whose name is taken", (ctx) => addUser(ctx, { name: "alice" })],
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
    await addClient(as("client add"), app);
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
    await addUser(as("user add"), dora);
    assertEquals(admin.clock.now < kit.clock.now, true);
    kit.clock.advance(6);
    await kit.get("/health");
    await kit.server.context.background.idle();
    assertEquals(kit.events.filter(({ type }) => type === "admin.changed").length, 1);
  });

  it.inBoth("is kept for a year", async ({ admin, as }) => {
    const { context } = admin.server;
    await addClient(as("client add"), app);
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
      () => removeUser(as("user remove"), "alice"),
      AdminError,
      "The user 'alice' is in the configuration hallpass.json and can only be changed there.",
    );
  });
});
