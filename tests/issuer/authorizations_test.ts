import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import {
  makeAuthorization,
  revokeAuthorization,
  storeAuthorization,
} from "../../src/server/issuer/authorizations/authorizations.ts";
import { findClient } from "../../src/server/issuer/clients/clients.ts";
import type { Client } from "../../src/server/model/client.ts";
import type { PendingRequest } from "../../src/server/protocol/pending_request.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

const lifetimes = { code: 60, accessToken: 300, refreshToken: 7200, session: 9000 };
/** How long what a device requests may wait for its user. */
const deviceSeconds = 600;
const responseTarget = {
  redirectUri: "",
  mode: "query",
  trusted: true,
  hasPromptNone: false,
} as const;
const pending: PendingRequest = {
  clientId: "demo-spa",
  requestedBy: { clientId: "demo-spa" },
  responseTarget,
  scope: ["read"],
  resources: [],
  prompt: [],
};
const fromDevice = { ...pending, responseTarget: undefined, device: { id: "d", expiresAt: 0 } };

async function openParties() {
  const { server, clock } = openKit({ lifetimes });
  const ctx = server.context;
  const user = present(await ctx.settings.users.get("alice"));
  const client = present(await findClient(ctx, "demo-spa"));
  const session = { sid: "s", userName: "alice", subject: "alice", authTime: 0 };
  const signedIn = { session, user };
  async function create(request: PendingRequest, changes: Partial<Client> = {}, lifetime?: number) {
    const changed = { ...client, ...changes };
    const authorization = await makeAuthorization(ctx, changed, request, signedIn, lifetime);
    await storeAuthorization(ctx, changed, authorization);
    return authorization;
  }
  return { ctx, clock, user, client, create };
}

describe("An authorization", () => {
  const ends: Array<[what: string, request: PendingRequest, grants: string[], seconds: number]> = [
    ["a code", pending, ["authorization_code"], lifetimes.code],
    ["a device", fromDevice, [], deviceSeconds],
    ["refresh tokens", pending, ["authorization_code", "refresh_token"], lifetimes.refreshToken],
    ["refresh tokens of a device", fromDevice, ["refresh_token"], lifetimes.refreshToken],
  ];
  for (const [what, request, grantTypes, seconds] of ends) {
    it(`yields tokens for ${seconds} seconds to ${what}`, async () => {
      const { clock, create } = await openParties();
      const ofDevice = request === fromDevice ? deviceSeconds : undefined;
      const { issuingUntil } = await create(request, { grantTypes }, ofDevice);
      assertEquals(issuingUntil - clock.now, seconds * 1000);
    });
  }

  it("is remembered for the sign-out with openid only", async () => {
    const { ctx, create } = await openParties();
    const clients = async () => (await ctx.records.sessionClients.list()).length;
    await create(pending);
    assertEquals(await clients(), 0);
    await create({ ...pending, scope: ["openid"] });
    assertEquals(await clients(), 1);
  });

  it("leaves nothing of itself when it is revoked", async () => {
    const { ctx, create } = await openParties();
    const authorization = await create(pending);
    await revokeAuthorization(ctx, authorization, "a test");
    assertEquals(await ctx.records.authorizations.list(), []);
  });
});
