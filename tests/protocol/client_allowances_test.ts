import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { toClient } from "../../src/server/config/make_client.ts";
import { profileOf } from "../../src/server/config/profiles/profiles.ts";
import type { Client } from "../../src/server/model/client.ts";
import {
  allowedGrants,
  type ClientAllowances,
  confineClient,
  registrationTrust,
} from "../../src/server/protocol/client_allowances.ts";

const everything = {
  scopes: ["openid", "read", "write"],
  resources: "any",
  authorizationDetailsTypes: ["payment"],
} as const;
const little = {
  scopes: ["openid"],
  resources: ["https://id.example"],
  authorizationDetailsTypes: [],
};
const lenient: ClientAllowances = {
  trusted: true,
  pkce: "optional",
  assertionAudience: "token-endpoint",
  access: { trusted: everything, admitted: everything, untrusted: little },
};
const strict: ClientAllowances = {
  ...lenient,
  trusted: false,
  pkce: "required",
  assertionAudience: "issuer",
};
const grants = ["authorization_code", "refresh_token", "client_credentials"];

async function makeClient(changes: Partial<Client> = {}): Promise<Client> {
  const offered = {
    profile: profileOf("oauth-2.1"),
    scopes: everything.scopes,
    authorizationDetailsTypes: ["payment"],
    requirePar: false,
  };
  const client = await toClient({ id: "app", secret: "s", grantTypes: grants }, offered);
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

describe("allowedGrants", () => {
  it("allows untrusted clients the grants in which the user is asked", () => {
    assertEquals(allowedGrants("untrusted", grants), ["authorization_code", "refresh_token"]);
    assertEquals([allowedGrants("admitted", grants), allowedGrants("trusted", grants)], [
      grants,
      grants,
    ]);
  });
});

describe("confineClient", () => {
  it("keeps the settings of a trusted client", async () => {
    assertEquals(
      limitsOf(confineClient(await makeClient(), "trusted", lenient)),
      limitsOf(await makeClient()),
    );
  });

  it("L7: limits an untrusted client to what such clients may request, without leniencies", async () => {
    assertEquals(limitsOf(confineClient(await makeClient(), "untrusted", lenient)), {
      leniencies: [false, "required", "issuer"],
      access: [["authorization_code", "refresh_token"], ["openid"], [], ["https://id.example"], []],
    });
  });

  it("revokes leniencies that the settings no longer grant", async () => {
    assertEquals(limitsOf(confineClient(await makeClient(), "admitted", strict)).leniencies, [
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
    assertEquals(limitsOf(confineClient(client, "trusted", lenient)), limitsOf(client));
  });

  it("requires PKCE of a public client under every setting", async () => {
    assertEquals(
      confineClient(await makeClient({ authentication: ["none"] }), "trusted", lenient).pkce,
      "required",
    );
  });
});
