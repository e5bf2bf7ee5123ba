import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { setClaims } from "../../src/administration/user_claims.ts";
import { add, disable, remove } from "../../src/administration/users.ts";
import type { Context } from "../../src/server/issuer/context.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import { type UserKey, userValues } from "../../src/server/issuer/users/claim_rows.ts";
import { completeClaimRows, findUsersBy } from "../../src/server/issuer/users/find_users.ts";
import type { Claims } from "../../src/server/model/claims.ts";
import type { User } from "../../src/server/model/user.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { type Kit, openKit, openStrictKit } from "../support/kit.ts";
import { interruptEachCall } from "../support/stores.ts";

const claims: Claims = { email: "Dora@Example.org", phone_number: "+41 44 000-00-07" };
const dora = { name: "dora", sub: "u-7", claims };

async function openWithDora(store: Store = memoryStore()): Promise<{ kit: Kit; ctx: Context }> {
  const kit = openStrictKit({ store });
  // Nothing else completes what a test leaves half done.
  await completeClaimRows(kit.server.context);
  await add(kit.server.context, dora);
  return { kit, ctx: kit.server.context };
}

async function namesBy(ctx: Context, key: UserKey, value: string): Promise<string[]> {
  return (await findUsersBy(ctx, key, value)).map(({ name }) => name);
}

/** Adds a user as an earlier version did. */
async function addEarlier({ records }: Context, name: string, email?: string): Promise<void> {
  const user: User = { name, subject: name, claims: email ? { email } : {}, disabled: false };
  await records.users.put(name, user, forever);
}

type Act = (ctx: Context) => Promise<unknown>;

const addDora: Act = (ctx) => add(ctx, dora);
const changeAddress: Act = (ctx) => setClaims(ctx, "dora", () => ({ email: "other@example.org" }));

/** Checks that each user of the store is found by what leads there. */
async function checkFound(ctx: Context, message: string): Promise<void> {
  for (const [name, user] of await ctx.records.users.list()) {
    for (const [key, value] of userValues(user)) {
      assertEquals(await namesBy(ctx, key, value), [name], `${message}: ${key}`);
    }
  }
}

describe("findUsersBy", () => {
  const values: Array<[key: UserKey, value: string, isHers: boolean]> = [
    ["email", "Dora@Example.org", true],
    ["email", " dora@example.ORG", true],
    ["email", "dora@example.com", false],
    ["phone_number", "+41440000007", true],
    ["phone_number", "+41 (44) 000.00.07", true],
    ["phone_number", "-", false],
    ["subject", "u-7", true],
    ["subject", "U-7", false],
    ["subject", "dora", false],
  ];
  for (const [key, value, isHers] of values) {
    const found = isHers ? ["dora"] : [];
    it(`finds ${isHers ? "the user" : "nobody"} by the ${key} '${value}'`, async () => {
      const { ctx } = await openWithDora();
      assertEquals(await namesBy(ctx, key, value), found, "in the store");
      const configured = openStrictKit({ users: [{ name: "eve", claims: {} }, dora] });
      assertEquals(await namesBy(configured.server.context, key, value), found, "configured");
    });
  }

  it("finds each user who shares an address, wherever they are, and disabled ones", async () => {
    const { ctx } = await openWithDora();
    const kit = openStrictKit({ store: ctx.settings.store, users: [{ name: "eve", claims }] });
    await add(ctx, { name: "finn", claims });
    await disable(ctx, "finn");
    const found = await findUsersBy(kit.server.context, "email", "dora@example.org");
    assertEquals(found.map(({ name }) => name).sort(), ["dora", "eve", "finn"]);
  });

  it("finds none of more users than can be told apart", async () => {
    const { ctx } = await openWithDora();
    for (let at = 0; at < 9; at++) await add(ctx, { name: `user${at}`, claims });
    assertEquals((await namesBy(ctx, "email", "dora@example.org")).length, 10);
    await add(ctx, { name: "eleventh", claims });
    assertEquals(await namesBy(ctx, "email", "dora@example.org"), []);
  });

  it("follows the users of a configuration as they change", () => {
    const kit = openKit({ users: [{ name: "eve", claims }] });
    const { context: ctx } = kit.server;
    const { users } = ctx.settings;
    return namesBy(ctx, "email", "dora@example.org").then(async (before) => {
      users.put({ name: "eve", claims: { email: "eve@example.org" } });
      const after = await namesBy(ctx, "email", "dora@example.org");
      assertEquals(before, ["eve"]);
      assertEquals(after, []);
      assertEquals(await namesBy(ctx, "email", "eve@example.org"), ["eve"]);
    });
  });
});

describe("What leads to a user of the store", () => {
  it("names no address, number or subject", async () => {
    const { ctx } = await openWithDora();
    const rows = await ctx.records.userClaims.list();
    assertEquals(rows.map(([id]) => id.split("/")[0]), ["email", "phone_number", "subject"]);
    const text = JSON.stringify(rows).toLowerCase();
    for (const value of ["example.org", "0007", "u-7"]) assert(!text.includes(value), value);
  });

  it("changes with the claims, and goes with the user", async () => {
    const { ctx } = await openWithDora();
    await changeAddress(ctx);
    assertEquals(await namesBy(ctx, "email", "dora@example.org"), []);
    assertEquals(await namesBy(ctx, "email", "other@example.org"), ["dora"]);
    assertEquals((await ctx.records.userClaims.list()).length, 2);
    await remove(ctx, "dora");
    assertEquals(await ctx.records.userClaims.list(), []);
  });

  it("leads from a pairwise subject once a client knows it, and goes with the user", async () => {
    const redirectUris = ["https://hallpass.test/authorized"];
    const client = { id: "app", redirectUris, subjectType: "pairwise" } as const;
    const kit = openStrictKit({ clients: [client] });
    const { context: ctx } = kit.server;
    await add(ctx, { ...dora, password: "dora-password" });
    const count = async () => (await ctx.records.userClaims.list("subject/")).length;
    assertEquals(await count(), 1);
    const actions = { user: "dora", password: "dora-password" };
    for (let time = 0; time < 2; time++) {
      await kit.code({ client_id: "app", scope: "openid" }, actions);
      assertEquals(await count(), 2);
    }
    await remove(ctx, "dora");
    assertEquals(await ctx.records.userClaims.list(), []);
  });

  const stalls: Record<string, [act: Act, meanwhile: Act]> = {
    "a change, and it is changed twice": [
      changeAddress,
      async (ctx) => {
        await setClaims(ctx, "dora", () => ({ email: "third@example.org" }));
        await setClaims(ctx, "dora", () => claims);
      },
    ],
    "a removal, and the user is added again": [(ctx) => remove(ctx, "dora"), addDora],
    "an addition, and the user is removed, and added again": [
      async (ctx) => {
        await remove(ctx, "dora");
        await addDora(ctx);
      },
      async (ctx) => {
        await remove(ctx, "dora");
        await addDora(ctx);
      },
    ],
  };
  for (const [what, [act, meanwhile]] of Object.entries(stalls)) {
    it(`is there when a process stalls in the middle of ${what}`, async () => {
      const calls = await interruptEachCall({
        open: openWithDora,
        act: ({ ctx }) => act(ctx),
        // A lock has expired by then.
        interruption: ({ kit, ctx }) => {
          kit.clock.advance(60);
          return meanwhile(ctx).catch(() => {});
        },
        check: async ({ ctx }, call) => await checkFound(ctx, `call ${call}`),
      });
      assert(calls > 8, `${calls}`);
    });
  }

  const deaths: Record<string, Act> = {
    "a change": changeAddress,
    "an addition": (ctx) => add(ctx, { name: "eve", claims: { email: "eve@example.org" } }),
    "a removal": (ctx) => remove(ctx, "dora"),
  };
  for (const [what, act] of Object.entries(deaths)) {
    it(`is there when a process dies in the middle of ${what}`, async () => {
      await interruptEachCall({
        open: async (store) => ({ store, ...await openWithDora(store) }),
        async act({ ctx, store }) {
          await act(ctx).catch(() => {});
          store.fail(false);
        },
        interruption: ({ store }) => Promise.resolve(store.fail(true)),
        check: async ({ ctx }, call) => await checkFound(ctx, `call ${call}`),
      });
    });
  }
});

describe("Users that an earlier version wrote", () => {
  async function openEarlier(count: number): Promise<{ kit: Kit; store: Store }> {
    const store = memoryStore();
    const { server } = openStrictKit({ store });
    for (let at = 0; at < count; at++) {
      await addEarlier(server.context, `user${at}`, `user${at}@example.org`);
    }
    return { kit: openStrictKit({ store }), store };
  }

  it("are found once a server has started, or without that", async () => {
    for (const starts of [true, false]) {
      const { kit } = await openEarlier(250);
      if (starts) await kit.server.ready();
      const { context: ctx } = kit.server;
      const rows = (await ctx.records.userClaims.list()).length;
      assertEquals(rows, starts ? 500 : 0);
      for (const name of ["user0", "user249"]) {
        assertEquals(await namesBy(ctx, "email", `${name}@example.org`), [name]);
      }
    }
  });

  it("are reported at the beginning, now and then, and at the end", async () => {
    const cases: Array<[count: number, reported: number[]]> = [
      [0, []],
      [42, [42]],
      [10_250, [100, 10_000, 10_250]],
    ];
    for (const [count, reported] of cases) {
      const { kit } = await openEarlier(count);
      await kit.server.ready();
      const reports = kit.events.flatMap((event) =>
        event.type === "users.indexed" ? [event.users] : []
      );
      assertEquals(reports, reported);
    }
  });

  it("are read once", async () => {
    const { kit, store } = await openEarlier(1);
    await kit.server.ready();
    await addEarlier(kit.server.context, "late", "late@example.org");
    const { context: ctx } = openStrictKit({ store }).server;
    assertEquals(await namesBy(ctx, "email", "late@example.org"), []);
  });

  it("are read on from where another server was interrupted", async () => {
    const { kit } = await openEarlier(3);
    const { context: ctx } = kit.server;
    await ctx.records.completions.put("user-claim", { passes: 0, at: 0, after: "user0" }, forever);
    await kit.server.ready();
    assertEquals(await namesBy(ctx, "email", "user0@example.org"), []);
    assertEquals(await namesBy(ctx, "email", "user1@example.org"), ["user1"]);
  });

  it("are found by the pairwise subjects that clients know", async () => {
    const redirectUris = ["https://hallpass.test/authorized"];
    const clients = [{ id: "app", redirectUris, subjectType: "pairwise" as const }];
    const store = memoryStore();
    const before = openStrictKit({ store, clients });
    await before.code({ client_id: "app", scope: "openid" }, { user: "alice" });
    const { records } = before.server.context;
    const rows = await records.userClaims.list("subject/");
    for (const [id] of await records.userClaims.list()) await records.userClaims.delete(id);
    await records.completions.delete("user-claim");
    const after = openStrictKit({ store, clients });
    await after.server.ready();
    assertEquals(await after.server.context.records.userClaims.list("subject/"), rows);
  });
});
