import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe } from "node:test";
import { remove as removeClient } from "../../src/administration/clients.ts";
import { issueCode } from "../../src/server/issuer/authorizations/consented_request.ts";
import {
  consentCheck,
  hasConsented,
  rememberConsent,
  withdrawConsent,
} from "../../src/server/issuer/authorizations/consents.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import { forever } from "../../src/server/issuer/records/table.ts";
import type { AuthorizationRequest } from "../../src/server/protocol/authorization_request.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import { memoryStore } from "../../src/server/store/memory.ts";
import type { Store } from "../../src/server/store/store.ts";
import { itWith } from "../support/it_with.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const it = itWith({ inParties: openParties });

/** A store that does something just before each of its calls. */
function interruptedStore(act: () => Promise<unknown>): Store {
  const methods = Object.entries(memoryStore()).map(([name, method]) => [
    name,
    async (...given: unknown[]) => {
      await act();
      return await (method as (...given: unknown[]) => unknown)(...given);
    },
  ]);
  return Object.fromEntries(methods);
}

type Access = Pick<AuthorizationRequest, "scope" | "resources" | "claims" | "authorizationDetails">;

const read: Access = { scope: ["read"], resources: [] };
const email = { userinfo: { email: { essential: false } }, idToken: {} };

/** A server, with one user and one client between whom there are consents. */
async function openParties(store: Store = memoryStore()) {
  const kit = openKit({ store });
  const ctx = kit.server.context;
  const user = present(await ctx.settings.users.get("alice"));
  const client = present(await findClient(ctx, "demo-spa"));
  return {
    kit,
    ctx,
    user,
    client,
    remember: (access: Access) => rememberConsent(ctx, user, client, access),
    covers: async (access: Access) =>
      (await ctx.records.batch(consentCheck(ctx, user, client, access)))[0],
    count: async () => (await ctx.records.consents.list()).length,
  };
}

describe("A remembered consent", () => {
  it.inParties("is stored once, and again when it is for more", async ({ remember, count }) => {
    await remember(read);
    await remember(read);
    assertEquals(await count(), 1);
    await remember({ ...read, scope: ["read", "write"] });
    assertEquals(await count(), 2);
  });

  it.inParties("is stored for authorization details without a scope, and asked for each time", async ({ ctx, user, client, remember, covers, count }) => {
    const payment = { scope: [], resources: [], authorizationDetails: [{ type: "payment" }] };
    assertEquals(await covers(payment), false);
    await remember(payment);
    assertEquals([await count(), await covers(payment)], [1, true]);
    assertEquals(await hasConsented(ctx, { user }, client, payment), false);
  });

  it("stays withdrawn while part of its scope is refused, whenever that happens", async () => {
    let interruptions = 0;
    for (let at = 0; at < 8; at++) {
      let countdown = Infinity;
      let withdraw = () => Promise.resolve();
      const before = interruptions;
      const store = interruptedStore(async () => {
        if (countdown-- !== 0) return;
        interruptions++;
        await withdraw();
      });
      const { ctx, user, client, remember, covers } = await openParties(store);
      await remember({ ...read, scope: ["read", "write"] });
      withdraw = () => withdrawConsent(ctx, "alice", client.id);
      countdown = at;
      await rememberConsent(ctx, user, client, { ...read, scope: [] }, ["write"]);
      countdown = Infinity;
      // Without an interruption, only what was refused is forgotten.
      assertEquals([at, await covers(read)], [at, interruptions === before]);
    }
    assert(interruptions >= 3, String(interruptions));
  });

  it.inParties("covers what several consents allow together", async ({ remember, covers }) => {
    await remember(read);
    await remember({ ...read, scope: ["write"] });
    assertEquals(await covers({ ...read, scope: ["read", "write"] }), true);
    assertEquals(await covers({ ...read, scope: ["read", "openid"] }), false);
  });

  it.inParties("covers neither another resource nor another claim", async ({ remember, covers }) => {
    await remember({ ...read, resources: ["urn:a", "urn:b"] });
    const at = (...resources: string[]) => covers({ ...read, resources });
    assertEquals([await at("urn:b"), await at("urn:a", "urn:c"), await at()], [true, false, false]);
    await remember(read);
    assertEquals([await covers(read), await covers({ ...read, claims: email })], [true, false]);
    await remember({ ...read, claims: email });
    assertEquals(await covers({ ...read, claims: email }), true);
  });

  it.inParties("is between this very user and this very client", async ({ ctx, user, client, remember }) => {
    await remember(read);
    const later = [
      [{ ...user, instance: "later" }, client],
      [user, { ...client, instance: "later" }],
    ] as const;
    for (const [of, to] of later) {
      assertEquals(await ctx.records.batch(consentCheck(ctx, of, to, read)), [false]);
    }
  });
});

describe("A consent that is withdrawn", () => {
  it.inParties("is an event, if there was one", async ({ kit, ctx, remember }) => {
    const withdrawn = () => kit.events.filter(({ type }) => type === "consent.withdrawn").length;
    await withdrawConsent(ctx, "alice", "demo-spa");
    assertEquals(withdrawn(), 0);
    await remember(read);
    await withdrawConsent(ctx, "alice", "demo-spa");
    assertEquals(withdrawn(), 1);
  });

  it.inParties("leaves those to other clients", async ({ ctx, user, client, remember, count }) => {
    await remember(read);
    const stored = { ...client, instance: "1" };
    await ctx.records.clients.put("app", { ...stored, id: "app" }, forever);
    await rememberConsent(ctx, user, { ...stored, id: "app" }, read);
    assertEquals(await count(), 2);
    await removeClient(ctx, "app");
    assertEquals(await count(), 1);
  });

  it.inParties("ends the request that it was given for", async ({ ctx, user, client }) => {
    const request: AuthorizationRequest = {
      ...read,
      scope: ["read"],
      clientId: client.id,
      requestedBy: { clientId: client.id },
      prompt: [],
      responseTarget: { redirectUri: "", mode: "query", trusted: true, hasPromptNone: false },
    };
    const session = { sid: "s", userName: "alice", subject: "alice", authTime: 0 };
    await assertRejects(
      () => issueCode(ctx, { client, pending: request, signedIn: { user, session } }),
      OAuthError,
      "withdrawn",
    );
    assertEquals(await ctx.records.authorizations.list(), []);
  });
});
