import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { toClient } from "../../../src/server/config/make_client.ts";
import { createFullServer } from "../../../src/server/features.ts";
import { registrationParts } from "../../../src/server/features/registration/registration_offers.ts";
import { confineClient } from "../../../src/server/issuer/clients/stored_clients.ts";
import type { Config } from "../../../src/server/mod.ts";
import type { Client } from "../../../src/server/model/client.ts";
import { registrationTrust } from "../../../src/server/protocol/client_trust.ts";
import { initialAccessToken } from "../../support/registration.ts";

const grants = ["authorization_code", "refresh_token", "client_credentials"];
const whole: Partial<Config> = {
  scopes: { openid: "Sign in", read: "Read", write: "Write" },
  authorizationDetails: { payment: { meaning: "Pay", members: {} } },
};
/** Returns what a server with these settings offers to its clients. */
function offersOf(config: Partial<Config> = {}) {
  const { context } = createFullServer({ issuer: "https://id.example", ...config });
  return registrationParts(context).offers;
}

const lenient = offersOf({
  ...whole,
  registration: {
    initialAccessToken,
    trusted: true,
    pkce: "optional",
    assertionAudience: "token-endpoint",
  },
});
const strict = offersOf({ ...whole, registration: { initialAccessToken } });

async function makeClient(changes: Partial<Client> = {}): Promise<Client> {
  const client = await toClient({ id: "app", secret: "s", grantTypes: grants }, lenient.trusted);
  return { ...client, pkce: "optional", assertionAudience: "token-endpoint", ...changes };
}

function limitsOf(client: Client) {
  const { grantTypes, scopes, defaultScope, allowedResources, authorizationDetailsTypes } = client;
  return {
    leniencies: [client.trusted, client.pkce, client.assertionAudience],
    access: [grantTypes, scopes, defaultScope, allowedResources, authorizationDetailsTypes],
  };
}

describe("registrationTrust", () => {
  it("requires both an initial access token and the setting for trust", () => {
    assertEquals(registrationTrust(true, { trusted: true }), "trusted");
    assertEquals(registrationTrust(true, { trusted: false }), "admitted");
    assertEquals(registrationTrust(false, { trusted: true }), "untrusted");
  });
});

describe("Offers", () => {
  it("offer untrusted clients the grants in which the user is asked", () => {
    const { trusted, admitted, untrusted } = offersOf();
    assertEquals(untrusted.grantTypes, ["authorization_code", "refresh_token"]);
    assertEquals([admitted.grantTypes, trusted.grantTypes], [grants, grants]);
  });
});

describe("confineClient", () => {
  it("keeps the settings of a trusted client", async () => {
    assertEquals(
      limitsOf(confineClient(await makeClient(), lenient.trusted)),
      limitsOf(await makeClient()),
    );
  });

  it("L7: limits an untrusted client to what such clients may request, without leniencies", async () => {
    assertEquals(limitsOf(confineClient(await makeClient(), lenient.untrusted)), {
      leniencies: [false, "required", "issuer"],
      access: [["authorization_code", "refresh_token"], ["openid"], [], ["https://id.example"], []],
    });
  });

  it("revokes leniencies that the settings no longer grant", async () => {
    assertEquals(limitsOf(confineClient(await makeClient(), strict.admitted)).leniencies, [
      false,
      "required",
      "issuer",
    ]);
  });

  it("adds nothing to a client that is stricter than required", async () => {
    const client = await makeClient({
      trusted: false,
      pkce: "required",
      assertionAudience: "issuer",
      scopes: ["read"],
      defaultScope: [],
    });
    assertEquals(limitsOf(confineClient(client, lenient.trusted)), limitsOf(client));
  });

  it("requires PKCE of a public client under every setting", async () => {
    assertEquals(
      confineClient(await makeClient({ authentication: ["none"] }), lenient.trusted).pkce,
      "required",
    );
  });
});
