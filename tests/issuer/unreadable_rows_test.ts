import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { add as addClient } from "../../src/administration/clients.ts";
import type { Records } from "../../src/server/issuer/records/records.ts";
import { forever, type Table } from "../../src/server/issuer/records/table.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import { fixturesOf } from "../features.ts";
import type { UnreadableRow } from "../support/feature_fixtures.ts";
import { isActive, openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

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
