import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../src/administration/clients.ts";
import { createRecords, type Records } from "../../src/server/issuer/records/records.ts";
import { idPrefix, joinId, splitId } from "../../src/server/issuer/records/row_id.ts";
import { createBatch, mapCall } from "../../src/server/issuer/records/store_calls.ts";
import { forever, plainTable, type Table } from "../../src/server/issuer/records/table.ts";
import { findActiveToken } from "../../src/server/issuer/tokens/active_tokens.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { UnreadableStoreError } from "../../src/server/store/store_errors.ts";
import { fixturesOf } from "../features.ts";
import type { UnreadableRow } from "../support/feature_fixtures.ts";
import { isActive, openKit, spa } from "../support/kit.ts";
import { present } from "../support/present.ts";

const long2001 = "x".repeat(2001);

/** A table with rows, and how often its store was asked for a page of them. */
async function openTable(count: number) {
  const inner = memoryStore();
  const state = { pages: 0, now: 0 };
  const list: Store["list"] = (...args) => {
    state.pages++;
    return inner.list(...args);
  };
  const table = plainTable<number>({ ...inner, list }, "number", () => state.now);
  for (let at = 0; at < count; at++) await table.put(joinId("a", `${at}`), at, 1000 + at);
  return { state, table };
}

describe("The rows of a table", () => {
  const sizes: Array<[rows: number, pages: number]> = [[0, 1], [99, 1], [100, 2], [101, 2], [
    250,
    3,
  ]];
  for (const [rows, pages] of sizes) {
    it(`are ${rows}, in ${pages} pages of up to a hundred`, async () => {
      const { state, table } = await openTable(rows);
      assertEquals([(await table.list()).length, state.pages], [rows, pages]);
      let yielded = 0;
      for await (const [, value] of table.each(idPrefix("a"))) yielded += value >= 0 ? 1 : 0;
      assertEquals([yielded, state.pages], [rows, 2 * pages]);
    });
  }

  it("are listed by their first parts, or after a text", async () => {
    const { table } = await openTable(2);
    for (const id of [joinId("", "x"), joinId("a/b", "x"), joinId("ab", "x"), joinId("b")]) {
      await table.put(id, 9, 1000);
    }
    const ids = (rows: Array<[string, number]>) => rows.map(([id]) => splitId(id).join("+"));
    assertEquals(ids(await table.list(idPrefix("a"))), ["a+0", "a+1"]);
    assertEquals(ids(await table.list(idPrefix("a/b"))), ["a/b+x"]);
    assertEquals(ids(await table.listAfter("ab")), ["ab+x", "b"]);
    assertEquals((await table.list()).length, 6);
  });

  it("Q6: have ids of up to 2,000 bytes: no other is found, and none is written", async () => {
    const { table } = await openTable(0);
    const ids = ["x".repeat(2000), "x".repeat(2001), "é".repeat(1000), "é".repeat(1001)];
    const written = ids.map((id) => table.put(id, 1, 1000).then(() => true, () => false));
    assertEquals(await Promise.all(written), [true, false, true, false]);
    const found = ids.map((id) => table.find(id));
    assertEquals(await Promise.all(found), [1, undefined, 1, undefined]);
    const long = "x".repeat(3000);
    const writes = [
      () => table.add(long, 1, 1),
      () => table.consume(long, 1),
      () => table.delete(long),
    ];
    for (const write of writes) await assertRejects(write, OAuthError, "more than 2000 bytes");
  });

  for (const count of [99, 100, 250]) {
    it(`are ${count} as well if they are listed together with other calls`, async () => {
      const store = memoryStore();
      const table = plainTable<number>(store, "number", () => 0);
      for (let at = 0; at < count; at++) await table.put(joinId("a", `${at}`), at, 1000 + at);
      const { calls } = table;
      const batch = createBatch(store);
      const [[, listed], long, added, used] = await Promise.all([
        batch(calls.delete("b"), mapCall(calls.list(idPrefix("a")), (rows) => rows.length)),
        batch(calls.get(long2001), calls.get("a/1")),
        batch(calls.add("b", 9, 1), calls.add("b", 9, 1), calls.getStored("b")),
        batch(calls.consume("a/0", 5000), calls.get("a/0")),
      ]);
      assertEquals(listed, count);
      assertEquals(long.map((row) => row?.value), [undefined, 1]);
      assertEquals(added, [true, false, { value: 9, expiresAt: 1 }]);
      assertEquals(used, [true, { value: 0, expiresAt: 5000, usedAt: 0 }]);
      const writes = () => batch(calls.delete("a/0"), calls.put(long2001, 1, 1));
      await assertRejects(writes, OAuthError, "more than 2000 bytes");
      assertEquals((await table.get("a/0"))?.value, 0);
    });
  }

  it("do not exist once they have expired", async () => {
    const { state, table } = await openTable(2);
    state.now = 999;
    assertEquals([(await table.list()).length, await table.find("a/0")], [2, 0]);
    state.now = 1000;
    assertEquals([(await table.list()).length, await table.find("a/0")], [1, undefined]);
  });

  it("are not replaced if they have changed since they were read", async () => {
    const { table } = await openTable(1);
    const before = present(await table.get("a/0"));
    await table.put("a/0", 9, 1000);
    assertEquals(await table.replace("a/0", before, 5), false);
    await table.delete("a/0");
    assertEquals(await table.replace("a/0", before, 5), false);
  });

  it("V3: cannot be read if the store is damaged: another try does not help", async () => {
    const damaged = new UnreadableStoreError("The row is damaged.");
    const fail = () => Promise.reject(damaged);
    const { users } = createRecords({ ...memoryStore(), get: fail, list: fail }, () => 0);
    for (const call of [() => users.find("alice"), () => users.list()]) {
      assertEquals(await assertRejects(call), damaged);
    }
  });

  const failures: Record<string, () => Promise<never>> = {
    rejects: () => Promise.reject(new Error("away")),
    throws: () => {
      throw new Error("away");
    },
  };
  for (const [how, fail] of Object.entries(failures)) {
    it(`cannot be reached if the store ${how}, which is no fault of the client`, async () => {
      const failing = { ...memoryStore(), get: fail, list: fail, sweep: fail };
      const { users, sweep } = createRecords(failing, () => 0);
      for (const call of [() => users.find("alice"), () => users.list(), () => sweep()]) {
        const error = await assertRejects(call, OAuthError, "cannot reach its storage");
        const { status, details: { headers } } = error as OAuthError;
        assertEquals([status, headers], [503, { "Retry-After": "5" }]);
      }
    });
  }
});

/** What a code or a token can say about the session that it ends with. */
const named: Record<string, (sid: string) => string | undefined> = {
  "its session": (sid) => sid,
  "no session, as in a row of an earlier version": () => undefined,
  "another session, which has not ended": () => "another",
};

/** Writes another session into a row. */
async function nameSession<T>(table: Table<T>, id: string, sid: string | undefined) {
  const { value, expiresAt } = present(await table.get(id));
  await table.put(id, { ...value, sid }, expiresAt);
}

/** A server with a code, whose session can be ended. */
async function openFlow() {
  const kit = openKit({ clients: [spa({ accessTokenFormat: "opaque" })] });
  const { context: { records } } = kit.server;
  const code = present((await kit.authorize({ scope: "openid profile" })).get("code"));
  const row = present(await records.codes.get(code));
  const { sid = "" } = present(await records.authorizations.find(row.value.authorization));
  const endSession = () => records.endedSessions.put(sid, null, row.expiresAt + 1e9);
  return { kit, records, code, sid, endSession };
}

describe("What is issued in a session", () => {
  for (const [what, sessionFor] of Object.entries(named)) {
    it(`ends with it, if its row names ${what}`, async () => {
      const { kit, records, code, sid, endSession } = await openFlow();
      const { context } = kit.server;
      await nameSession(records.codes, code, sessionFor(sid));
      const { body } = await kit.redeem(code);
      const [access, refresh] = [present(body.access_token), present(body.refresh_token)];
      await nameSession(records.opaqueTokens, access, sessionFor(sid));
      await nameSession(records.refreshTokens, refresh, sessionFor(sid));
      const kinds = async () =>
        await Promise.all(
          [access, refresh].map(async (token) => (await findActiveToken(context, token))?.kind),
        );
      assertEquals([await kinds(), await kinds()], [["access", "refresh"], ["access", "refresh"]]);
      await endSession();
      assertEquals(await kinds(), [undefined, undefined]);
      assertEquals((await kit.refresh(refresh)).body.error, "invalid_grant");
    });

    it(`yields nothing once it has ended, if the row of a code names ${what}`, async () => {
      const { kit, records, code, sid, endSession } = await openFlow();
      await nameSession(records.codes, code, sessionFor(sid));
      await endSession();
      assertEquals((await kit.redeem(code)).body.error, "invalid_grant");
    });
  }

  it("is decided anew, if a token that was seen is given to another authorization", async () => {
    const { kit, records, code } = await openFlow();
    const { context } = kit.server;
    const token = present((await kit.redeem(code)).body.access_token);
    const of = async () => (await findActiveToken(context, token))?.active?.authorization.id;
    const first = present(await of());
    const otherCode = present((await kit.authorize({ scope: "openid profile" })).get("code"));
    const other = present((await kit.redeem(otherCode)).body.access_token);
    const otherRow = present(await records.opaqueTokens.get(other));
    await records.opaqueTokens.put(token, otherRow.value, otherRow.expiresAt);
    await records.authorizations.delete(first);
    assertEquals(await of(), otherRow.value.claims.jti.split(".")[0]);
    await records.authorizations.delete(present(await of()));
    assertEquals(await of(), undefined);
  });
});

const refusal = /^The store holds a row of the kind '[a-z-]+' in a form that this version of /;
const request = { clientId: "app", scope: ["read"], resources: [], prompt: [] };
const client = { id: "app", authentication: ["client_secret_basic"], scopes: ["read"] };

/** Values that lack the member without which they would be taken as unrestricted. */
const forms: Record<string, [table: keyof Records, value: unknown]> = {
  "a client whose secret is one of its settings": [
    "clients",
    { ...client, secretHash: "h", hasLongSecret: true },
  ],
  "a key that does not name the time from which it signs": [
    "keys",
    { kid: "k", alg: "ES256", encryptedKey: "{}" },
  ],
  "progress that names the chosen session alone": [
    "interactionProgress",
    { chosen: "s", chosenBySignIn: true, mustSignIn: false },
  ],
  "progress before a session was chosen": ["interactionProgress", { mustSignIn: true }],
  "an interaction that names no client": ["interactions", { pending: request, browserHash: "h" }],
  "a pushed request that names no client": [
    "storedRequests",
    { authorizationRequest: request, until: forever },
  ],
};

const rows: Record<string, UnreadableRow> = {
  ...Object.fromEntries(
    Object.entries(forms).map(([what, [name, value]]) => [what, {
      table: ({ records }) => records[name] as Table<unknown>,
      value,
    }]),
  ),
  ...fixturesOf("unreadableRows"),
};

async function readEach(table: Table<unknown>): Promise<void> {
  for await (const _ of table.each());
}

describe("A row in a form that this version does not read", () => {
  for (const [what, { table: tableIn, value }] of Object.entries(rows)) {
    it(`is refused in one sentence: ${what}`, async () => {
      const table = tableIn(openKit().server.context) as Table<unknown>;
      await table.put("id", value, forever);
      const reads = {
        find: () => table.find("id"),
        get: () => table.get("id"),
        getStored: () => table.getStored("id"),
        list: () => table.list(),
        listAfter: () => table.listAfter(""),
        each: () => readEach(table),
      };
      for (const read of Object.values(reads)) {
        const { message } = await assertRejects(read, Error);
        assertEquals([refusal.test(message), message.split("\n").length], [true, 1]);
      }
    });
  }

  it("is no client without a secret, and the operator learns why", async () => {
    const kit = openKit();
    const { context } = kit.server;
    const grantTypes = ["client_credentials"];
    await addClient(context, { id: "app", secret: "a-secret-of-22-characters", grantTypes });
    const { secrets: _, ...row } = present(await context.records.clients.find("app"));
    await (context.records.clients as Table<unknown>).put("app", row, forever);
    for (const secret of [{}, { client_secret: "" }, { client_secret: "undefined" }]) {
      const fields = { grant_type: "client_credentials", client_id: "app", ...secret };
      const { status, body } = await kit.token(fields);
      assertEquals([status, body.error, body.access_token], [500, "server_error", undefined]);
    }
    const causes = kit.events.flatMap((event) =>
      event.type === "server.failed" ? [`${event.cause}`] : []
    );
    assertEquals(causes.map((cause) => refusal.test(cause.replace("Error: ", ""))), [
      ...[true, true, true],
    ]);
  });

  it("is no key: the server does not start, and signs nothing", async () => {
    const store = memoryStore();
    const kit = openKit({ store });
    await kit.tokens();
    const { keys } = kit.server.context.records;
    for (const [id, { from: _, ...row }] of await keys.list()) {
      await (keys as Table<unknown>).put(id, row, forever);
    }
    const next = openKit({ store });
    await assertRejects(() => next.server.ready(), Error, "a row of the kind 'key'");
    assertEquals((await next.get("/oauth2/jwks")).status, 500);
  });

  it("is an authorization of no client, if the epoch of its client is empty", async () => {
    const kit = openKit();
    const { access_token, refresh_token } = await kit.tokens();
    const { authorizations } = kit.server.context.records;
    for (const [id, row] of await authorizations.list()) {
      await authorizations.put(id, { ...row, clientEpoch: "" }, forever);
    }
    const fields = { grant_type: "refresh_token", refresh_token, client_id: "demo-spa" };
    assertEquals((await kit.token(fields)).body.error, "invalid_grant");
    assertEquals(await isActive(kit, access_token), false);
  });
});
