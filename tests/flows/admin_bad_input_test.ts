import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { set as setClient } from "../../src/administration/client_settings.ts";
import { add as addClient, remove as removeClient } from "../../src/administration/clients.ts";
import { extentOfUser } from "../../src/administration/count_extent.ts";
import { setClaims } from "../../src/administration/user_claims.ts";
import { add as addUser, remove as removeUser } from "../../src/administration/users.ts";
import { whenUnlocked as whenUnlockedAt } from "../../src/program/administration/store_command.ts";
import type { AdminContext } from "../../src/server/issuer/directory/changes.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { type Kit, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const redirectUris = ["https://hallpass.test/authorized"];
const app = { id: "app", redirectUris, scopes: ["openid", "profile", "read"] };
const dora = { name: "dora", password: "dora-password" };

/** A store that fails at one of its calls, once it is armed. */
function fragileStore(): { store: Store; failAt(call: number): void } {
  const inner = memoryStore();
  let left = Infinity;
  const names = ["get", "put", "add", "consume", "delete", "list"] as const;
  const guarded = names.map((name) => [name, (...args: unknown[]) => {
    if (--left === 0) throw new Error("The store is away.");
    const call = inner[name] as (...args: unknown[]) => unknown;
    return call(...args);
  }]);
  return {
    store: { ...inner, ...Object.fromEntries(guarded) },
    failAt: (call) => void (left = call),
  };
}

/** Signs dora in at the app, so that there is something to remove. */
async function withAuthorization(store: Store): Promise<{ kit: Kit; admin: AdminContext }> {
  const kit = openKit({ store });
  const { context } = kit.server;
  await addClient(context, app);
  await addUser(context, dora);
  const user = { user: "dora", password: "dora-password" };
  await kit.redeem(await kit.code({ client_id: "app" }, user), { client_id: "app" });
  return { kit, admin: { ...context, action: { by: "root", command: "client remove" } } };
}

/** What is left of the app, of dora, and of what one allowed the other. */
async function leftovers(ctx: AdminContext): Promise<number[]> {
  const { records } = ctx;
  return [
    (await records.clients.list()).length,
    (await records.users.list()).length,
    (await records.authorizations.list()).length,
    (await records.consents.list()).length,
  ];
}

/** Once a removal has revoked the authorizations, a row that is still there is of no use. */
async function assertUnusableOnceRevoked({ records }: AdminContext): Promise<void> {
  if ((await records.authorizations.list()).length > 0) return;
  const client = await records.clients.find("app");
  const user = await records.users.find("dora");
  const isUnusable = [client, user].some((row) => !row || row.disabled);
  assertEquals(isUnusable, true);
}

const removals: Record<string, [act: (ctx: AdminContext) => Promise<unknown>, left: number[]]> = {
  "a client": [(ctx) => removeClient(ctx, "app"), [0, 1, 0, 0]],
  "a user": [(ctx) => removeUser(ctx, "dora"), [1, 0, 0, 0]],
};

describe("A removal that the store interrupts", () => {
  for (const [what, [remove, left]] of Object.entries(removals)) {
    it(`can be finished by the same command, wherever it stopped: ${what}`, async () => {
      let interrupted = 0;
      for (let call = 1;; call++) {
        const { store, failAt } = fragileStore();
        const { kit, admin } = await withAuthorization(store);
        failAt(call);
        const isFinished = await remove(admin).then(() => true, () => false);
        failAt(Infinity);
        await assertUnusableOnceRevoked(admin);
        // A lock that could not be given back ends by itself.
        kit.clock.advance(60);
        if (!isFinished) await remove(admin).catch(() => {});
        assertEquals(await leftovers(admin), left, `interrupted at call ${call}`);
        if (isFinished) break;
        interrupted++;
      }
      assertEquals(interrupted > 10, true);
    });
  }
});

describe("What a user has allowed", () => {
  it("is counted without what an interrupted revocation left", async () => {
    const { admin } = await withAuthorization(memoryStore());
    const user = present(await admin.records.users.find("dora"));
    assertEquals((await extentOfUser(admin, user)).authorizations, 1);
    const [[id] = [""]] = await admin.records.authorizations.list();
    await admin.records.authorizations.delete(id);
    assertEquals((await extentOfUser(admin, user)).authorizations, 0);
  });
});

function whenUnlocked<T>(change: () => Promise<T>): Promise<T> {
  return whenUnlockedAt(change, { printError: () => {} });
}

describe("Two administrators at once", () => {
  it("do not undo each other", async () => {
    const store = memoryStore();
    const one = openKit({ store }).server.context;
    const other = openKit({ store }).server.context;
    await addClient(one, { ...app, scopes: ["openid"] });
    await addUser(one, dora);
    await Promise.all([
      whenUnlocked(() => setClient(one, "app", ({ given }) => ({ ...given, name: "Documents" }))),
      whenUnlocked(() => setClient(other, "app", ({ given }) => ({ ...given, dpop: "required" }))),
      whenUnlocked(() => setClaims(one, "dora", (claims) => ({ ...claims, email: "d@x.example" }))),
      whenUnlocked(() => setClaims(other, "dora", (claims) => ({ ...claims, name: "Dora" }))),
    ]);
    const client = await one.records.clients.find("app");
    const user = await one.records.users.find("dora");
    assertEquals([client?.name, client?.dpop], ["Documents", "required"]);
    assertEquals(user?.claims, { email: "d@x.example", name: "Dora" });
  });

  it("wait for each other, and pass on any other refusal", async () => {
    const { context } = openKit().server;
    await assertRejects(() => whenUnlocked(() => removeClient(context, "app")), Error, "no client");
  });
});
