import { assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { list as listSessionEntries } from "../../src/administration/sessions.ts";
import { setClaims } from "../../src/administration/user_claims.ts";
import * as users from "../../src/administration/users.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { UserConfig } from "../../src/server/config/user_config.ts";
import { type AdminContext, listChanges } from "../../src/server/issuer/directory/changes.ts";
import { AdminError } from "../../src/server/issuer/records/lock.ts";
import { itWith } from "../support/it_with.ts";
import { type Kit, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const it = itWith({ withDora: openWithDora });

const dora = { name: "dora", password: "dora-password" };

async function openWithDora(): Promise<{ kit: Kit; admin: AdminContext }> {
  const kit = openKit();
  await users.add(kit.server.context, dora);
  return { kit, admin: { ...kit.server.context, action: { by: "root", command: "a command" } } };
}

/** How many sessions and authorizations the store holds. */
async function rowsOf({ records }: AdminContext): Promise<number[]> {
  return [(await records.userSessions.list()).length, (await records.authorizations.list()).length];
}

describe("A user in the store", () => {
  const notText = "name must be a string";
  const bad: Array<[what: string, config: object, problem: string]> = [
    ["without a name", {}, "name is missing"],
    ["with a name that is no text, and nothing else is said", { name: 5 }, notText],
    ["with an unknown setting", { name: "eve", nickname: "e" }, "nickname"],
    ["with a name that cannot be a 'sub'", { name: "é" }, "the name cannot replace it"],
    ["with a password and a hash", { ...dora, passwordHash: "x" }, "cannot be combined"],
    ["with a hash of another kind", { name: "eve", passwordHash: "x" }, "is not a hash"],
  ];
  for (const [what, config, problem] of bad) {
    it.withDora(`is refused ${what}`, async ({ admin }) => {
      const error = await assertRejects(
        () => users.add(admin, config as UserConfig),
        ConfigError,
        problem,
      ) as ConfigError;
      if (problem === notText) assertEquals(error.message.split("\n").length, 2, error.message);
    });
  }

  it.withDora("has the time of a password, if it has one", async ({ kit, admin }) => {
    await users.add(admin, { name: "eve" });
    const changedAt = async (name: string) =>
      present(await admin.records.users.find(name)).passwordChangedAt;
    assertEquals([await changedAt("dora"), await changedAt("eve")], [kit.clock.now, undefined]);
  });

  const ends: Array<[what: string, act: (admin: AdminContext) => Promise<void>, left: number[]]> = [
    ["is disabled", (admin) => users.disable(admin, "dora"), [1, 1]],
    ["gets another password", (admin) => users.setPassword(admin, "dora", "another-password"), [
      1,
      1,
    ]],
    ["is enabled, which ends nothing", (admin) => users.enable(admin, "dora"), [2, 2]],
  ];
  for (const [what, act, left] of ends) {
    it.withDora(`has no session and no authorization left when it ${what}`, async ({ kit, admin }) => {
      await kit.code({}, { user: "dora", password: "dora-password" });
      await kit.code({}, { user: "alice" });
      assertEquals(await rowsOf(admin), [2, 2]);
      await act(admin);
      assertEquals(await rowsOf(admin), left);
    });
  }

  it.withDora("is looked up before a password is hashed, which costs time", async ({ admin }) => {
    const { settings } = admin;
    const hash = () => Promise.reject(new Error("A password was hashed."));
    const passwords = { ...settings.policies.passwords, hash };
    const policies = { ...settings.policies, passwords };
    const ctx = { ...admin, settings: { ...settings, policies } };
    await assertRejects(
      () => users.setPassword(ctx, "nobody", "x"),
      AdminError,
      "There is no user",
    );
  });
});

describe("The claims of a user", () => {
  it.withDora("are refused if they are no map", async ({ admin }) => {
    const claims = ["email"] as unknown as Record<string, unknown>;
    await assertRejects(() => setClaims(admin, "dora", () => claims), ConfigError, "claims");
  });

  it.withDora("leave no change if they are the same", async ({ admin }) => {
    await setClaims(admin, "dora", () => ({ email: "d@x.example" }));
    await setClaims(admin, "dora", () => ({ email: "d@x.example" }));
    assertEquals((await listChanges(admin)).length, 1);
  });
});

describe("A session whose end was interrupted", () => {
  it.withDora("is not listed, if it is marked as ended", async ({ kit, admin }) => {
    await kit.code({}, { user: "alice" });
    const [entry] = await Array.fromAsync(listSessionEntries(admin));
    await admin.records.endedSessions.put(present(entry).session.sid, null, kit.clock.now + 60_000);
    assertEquals((await rowsOf(admin))[0], 1);
    assertEquals(await Array.fromAsync(listSessionEntries(admin)), []);
  });

  it.withDora("is not listed, if its user has a new epoch", async ({ kit, admin }) => {
    await kit.code({}, { user: "dora", password: "dora-password" });
    const user = present(await admin.records.users.find("dora"));
    await admin.records.users.put("dora", { ...user, epoch: "another" }, kit.clock.now + 60_000);
    assertEquals((await rowsOf(admin))[0], 1);
    assertEquals(await Array.fromAsync(listSessionEntries(admin)), []);
  });
});
