import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import {
  documentTables,
  storeClientDocument,
} from "../../../src/server/features/documents/stored_documents.ts";
import {
  createAssertedAuthorization,
  makeAuthorization,
  storeAuthorization,
} from "../../../src/server/issuer/authorizations/authorizations.ts";
import { findClient } from "../../../src/server/issuer/clients/clients.ts";
import type { PendingRequest } from "../../../src/server/protocol/pending_request.ts";
import { openKit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { lateStore } from "../../support/stores.ts";

const id = "https://app.example/client.json";
const lifetimes = { accessToken: 300, refreshToken: 7200, session: 9000 };
const access = { scope: ["read"], resources: [] };
const pending: PendingRequest = {
  ...{ clientId: id, requestedBy: { clientId: id }, ...access, prompt: [] },
  responseTarget: { redirectUri: "", mode: "query", trusted: true, hasPromptNone: false },
};

async function openDocument() {
  const { server: { context }, clock } = openKit({ lifetimes });
  const user = await present(context.settings.users.get("alice"))();
  const configured = present(await findClient(context, "demo-spa"));
  const document = { readAt: clock.now, freshUntil: clock.now };
  const client = { ...configured, id, document, grantTypes: ["authorization_code"] };
  const session = { sid: "s", userName: "alice", subject: "alice", authTime: 0 };
  const create = async () => {
    const authorization = await makeAuthorization(context, client, pending, { session, user });
    await storeAuthorization(context, client, authorization);
  };
  const assert = () => createAssertedAuthorization(context, client, user, access);
  const seconds = async () =>
    (present(await documentTables(context).clients.get(id)).expiresAt - clock.now) / 1000;
  return { create, assert, seconds };
}

describe("The document of a client", () => {
  it("is kept as long as a session, whose end the client learns", async () => {
    const { create, seconds } = await openDocument();
    await create();
    assertEquals(await seconds(), lifetimes.session);
  });

  it("is kept as long as the token of an assertion, and then longer for a session", async () => {
    const { create, assert, seconds } = await openDocument();
    await assert();
    assertEquals(await seconds(), lifetimes.accessToken);
    await create();
    assertEquals(await seconds(), lifetimes.session);
    await assert();
    assertEquals(await seconds(), lifetimes.session);
  });

  it("R1: a longer life brings no withdrawn document back", async () => {
    const store = lateStore();
    const { context } = openKit({ store }).server;
    const { clients } = documentTables(context);
    const client = { id, secrets: [], document: { readAt: 0, freshUntil: 0 } } as never;
    const until = Date.UTC(2027, 0, 1);
    await storeClientDocument(context, client, until);
    const happen = store.delay("client-document");
    await assertRejects(() => storeClientDocument(context, client, until + 1));
    await clients.delete(id);
    await happen();
    assertEquals(await clients.find(id), undefined);
  });
});
