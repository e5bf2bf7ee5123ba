import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { toClient } from "../../src/config/make_client.ts";
import { profileOf } from "../../src/config/profiles/profiles.ts";
import type { Client } from "../../src/model/client.ts";
import {
  allowedGrants,
  type ClientAllowances,
  confineClient,
  registrationTrust,
} from "../../src/protocol/client_allowances.ts";

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
    detailTypes: ["payment"],
    requirePar: false,
  };
  const client = await toClient({ id: "app", secret: "s", grantTypes: grants }, offered);
  return { ...client, pkce: "optional", assertionAudience: "token-endpoint", ...changes };
}

const boundsOf = (
  {
    trusted,
    pkce,
    assertionAudience,
    grantTypes,
    scopes,
    defaultScope,
    allowedResources,
    authorizationDetailsTypes,
  }: Client,
) => ({
  leniencies: [trusted, pkce, assertionAudience],
  access: [grantTypes, scopes, defaultScope, allowedResources, authorizationDetailsTypes],
});

describe("registrationTrust", () => {
  it("needs both the initial access token and the setting for trust", () => {
    const levels = [[true, true], [true, false], [false, true]].map(([shown, trusted]) =>
      registrationTrust(shown, { trusted })
    );
    assertEquals(levels, ["trusted", "admitted", "untrusted"]);
  });
});

describe("allowedGrants", () => {
  it("leaves untrusted clients those in which a person is asked", () => {
    assertEquals(allowedGrants("untrusted", grants), ["authorization_code", "refresh_token"]);
    assertEquals([allowedGrants("admitted", grants), allowedGrants("trusted", grants)], [
      grants,
      grants,
    ]);
  });
});

describe("confineClient", () => {
  it("leaves a trusted client what it has", async () => {
    assertEquals(
      boundsOf(confineClient(await makeClient(), "trusted", lenient)),
      boundsOf(await makeClient()),
    );
  });

  it("L7: leaves an untrusted client what untrusted clients may ask for, and no leniency", async () => {
    assertEquals(boundsOf(confineClient(await makeClient(), "untrusted", lenient)), {
      leniencies: [false, "required", "issuer"],
      access: [["authorization_code", "refresh_token"], ["openid"], [], ["https://id.example"], []],
    });
  });

  it("takes leniencies back that the settings no longer grant", async () => {
    assertEquals(boundsOf(confineClient(await makeClient(), "admitted", strict)).leniencies, [
      false,
      "required",
      "issuer",
    ]);
  });

  it("adds nothing to a client that is stricter than it need be", async () => {
    const client = await makeClient({
      trusted: false,
      pkce: "required",
      assertionAudience: "issuer",
      scopes: ["read"],
      defaultScope: [],
    });
    assertEquals(boundsOf(confineClient(client, "trusted", lenient)), boundsOf(client));
  });

  it("requires PKCE of a public client under every setting", async () => {
    assertEquals(
      confineClient(await makeClient({ authentication: ["none"] }), "trusted", lenient).pkce,
      "required",
    );
  });
});
