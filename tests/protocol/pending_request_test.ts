import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import { toClient } from "../../src/server/config/make_client.ts";
import type { Client } from "../../src/server/model/client.ts";
import { OAuthError } from "../../src/server/protocol/oauth_error.ts";
import {
  checkStillAllowed,
  type PendingRequest,
} from "../../src/server/protocol/pending_request.ts";
import { applyRule } from "../../src/server/protocol/rule.ts";
import { offerOf } from "../support/offers.ts";

const redirectUri = "https://app.example/cb";
const api = "https://api.example";
const pending: PendingRequest = {
  clientId: "app",
  requestedBy: { clientId: "app" },
  responseTarget: { redirectUri, mode: "query", trusted: true, hasPromptNone: false },
  scope: ["read"],
  resources: [api],
  authorizationDetails: [{ type: "payment" }],
  prompt: [],
};

async function makeClient(changes: Partial<Client> = {}): Promise<Client> {
  const authorizationDetails = { payment: { meaning: "Pay", members: {} } };
  const offer = offerOf({ scopes: { read: "Read" }, authorizationDetails });
  return { ...await toClient({ id: "app", redirectUris: [redirectUri] }, offer), ...changes };
}

describe("checkStillAllowed", () => {
  it("returns the client of a request that it may still make", async () => {
    for (const client of [await makeClient(), await makeClient({ allowedResources: [api] })]) {
      assertEquals(checkStillAllowed(applyRule, { pending, client, polledBy: undefined }), client);
    }
  });

  const lost: Array<[what: string, changes: Partial<Client>]> = [
    ["its redirect URI", { redirectUris: [] }],
    ["the grant", { grantTypes: ["refresh_token"] }],
    ["a scope", { scopes: [] }],
    ["a type of authorization details", { authorizationDetailsTypes: [] }],
    ["L7: a resource", { allowedResources: [] }],
  ];
  for (const [what, changes] of lost) {
    it(`refuses the request of a client that has lost ${what}`, async () => {
      const client = await makeClient(changes);
      const error = assertThrows(
        () => checkStillAllowed(applyRule, { pending, client, polledBy: undefined }),
        OAuthError,
        "settings changed during this sign-in",
      ) as OAuthError;
      assertEquals(error.details.isExpired, true);
    });
  }

  it("refuses a request whose client polls by a grant that the server no longer has", async () => {
    const client = await makeClient();
    const request = { pending: { ...pending, responseTarget: undefined }, client };
    const attempt = () => checkStillAllowed(applyRule, { ...request, polledBy: undefined });
    assertThrows(attempt, OAuthError);
  });

  it("refuses the request of a deleted client", () => {
    assertThrows(
      () => checkStillAllowed(applyRule, { pending, client: undefined, polledBy: undefined }),
      OAuthError,
    );
  });
});
