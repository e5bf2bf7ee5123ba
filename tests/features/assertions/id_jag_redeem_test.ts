import { assertEquals } from "@std/assert";
import { describe } from "node:test";
import { signJwt } from "../../../src/server/issuer/keys/own_jwt.ts";
import { jwtBearerGrantType } from "../../../src/server/protocol/grant_types.ts";
import { lazily } from "../../../src/server/util/values/memoize.ts";
import { makeClientKey, seconds } from "../../support/client_key.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import {
  agentThere,
  chat,
  company,
  type Enterprise,
  type EnterpriseKit,
  files,
  mcp,
  openChat,
  openEnterprise,
} from "../../support/enterprise.ts";
import { itWith } from "../../support/it_with.ts";
import { basic, claimsOf, type Fields } from "../../support/kit.ts";
import { brokenRule, itRefuses, type Play, toRows } from "../../support/refusals.ts";

const it = itWith({ inEnterprise: openEnterprise });

const idJagType = "oauth-id-jag+jwt";

const issued = lazily(async () => claimsOf(await openEnterprise().idJag()));

/** Signs an ID-JAG as the company issues them, with changes. */
async function signedBy(
  enterprise: Enterprise,
  changes: object,
  typ: string | undefined = idJagType,
): Promise<string> {
  const claims = { ...await issued(), jti: crypto.randomUUID(), ...changes };
  return await signJwt(enterprise.idp.server.context, "RS256", typ, claims);
}

describe("Redeeming an ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant, section 4.4)", () => {
  it.inEnterprise("J18 J23 yields an access token for its resource alone, and no refresh token", async (enterprise) => {
    const { status, body } = await enterprise.redeem(await enterprise.idJag());
    const { access_token, ...others } = body;
    assertEquals([status, others as unknown], [200, {
      token_type: "Bearer",
      expires_in: 3600,
      scope: "chat.read chat.write",
      resource: mcp,
    }]);
    const { iss, sub, aud, client_id, scope } = claimsOf(access_token);
    assertEquals([iss, sub, aud, client_id, scope], [
      chat,
      "alice",
      mcp,
      "agent-there",
      "chat.read chat.write",
    ]);
  });

  const scopes: Array<[what: string, asserted: unknown, requested: Fields, granted: string]> = [
    ["what is requested and asserted", "chat.read chat.write", { scope: "chat.read" }, "chat.read"],
    [
      "what is asserted, if more is requested",
      "chat.read",
      { scope: "chat.read chat.write" },
      "chat.read",
    ],
    ["what is asserted, if nothing is requested", "chat.write", {}, "chat.write"],
    ["what the client may have", "chat.read chat.admin", {}, "chat.read"],
    ["what the client may have, if more is requested and asserted", "chat.read chat.admin", {
      scope: "chat.admin chat.read",
    }, "chat.read"],
    ["the default scope of the client, if nothing is asserted", undefined, {}, "chat.read"],
    ["no more than that, if nothing is asserted and more is requested", undefined, {
      scope: "chat.read chat.write",
    }, "chat.read"],
  ];
  for (const [what, scope, requested, granted] of scopes) {
    it.inEnterprise(`J19 yields ${what}`, async (enterprise) => {
      const { body } = await enterprise.redeem(await signedBy(enterprise, { scope }), requested);
      assertEquals(body.scope, granted);
    });
  }

  it("J19 yields no more to an ID-JAG without a scope because the issuer has a limit", async () => {
    const enterprise = openEnterprise({ trust: { scopes: ["chat.read", "chat.write"] } });
    for (const requested of [{}, { scope: "chat.read chat.write" }]) {
      const jwt = await signedBy(enterprise, { scope: undefined });
      assertEquals((await enterprise.redeem(jwt, requested)).body.scope, "chat.read");
    }
  });

  it.inEnterprise("J15 J18 takes a list with this server as the audience, and a list of its resources", async (enterprise) => {
    const changes = { aud: [chat], resource: [mcp, files] };
    const { body } = await enterprise.redeem(await signedBy(enterprise, changes));
    assertEquals([claimsOf(body.access_token).aud, body.resource], [[mcp, files], [mcp, files]]);
  });

  it.inEnterprise("J18 yields a token for the requested part of its resources", async (enterprise) => {
    const jwt = await signedBy(enterprise, { resource: [mcp, files] });
    const { body } = await enterprise.redeem(jwt, { resource: files });
    assertEquals([claimsOf(body.access_token).aud, body.resource], [files, files]);
  });

  it.inEnterprise("J21 yields a token that is bound to the key that the ID-JAG was requested with", async (enterprise) => {
    const key = await proofKey("ES256");
    const jwt = await signedBy(enterprise, { cnf: { jkt: key.jkt } });
    const url = `${chat}/oauth2/token`;
    const DPoP = await makeProof(key, "POST", url, { now: enterprise.chat.clock.now });
    const { body } = await enterprise.redeem(jwt, {}, { ...agentThere, DPoP });
    assertEquals([body.token_type, claimsOf(body.access_token).cnf], ["DPoP", { jkt: key.jkt }]);
  });

  it.inEnterprise("J19 yields a token of the user and the client alone for one with an 'act', which no profile defines", async (enterprise) => {
    const jwt = await signedBy(enterprise, { act: { sub: "an-agent", iss: company } });
    const { access_token } = (await enterprise.redeem(jwt)).body;
    const claims: Record<string, unknown> = claimsOf(access_token);
    assertEquals([claims.sub, claims.client_id, claims.act], ["alice", "agent-there", undefined]);
  });

  it.inEnterprise("J29 yields a token of the user in 'sub', whomever other claims name", async (enterprise) => {
    const named = {
      sub_id: { format: "saml-nameid", issuer: chat, nameid: "bob" },
      aud_sub: "bob",
      aud_tenant: "acme",
      email: "bob@example.com",
      preferred_username: "bob",
    };
    const { body } = await enterprise.redeem(await signedBy(enterprise, named));
    assertEquals(claimsOf(body.access_token).sub, "alice");
  });

  it("J14 takes other assertions of an issuer as well, unless the configuration wants only ID-JAGs", async () => {
    const statusWith = async (idJagOnly: boolean) => {
      const enterprise = openEnterprise({ trust: { idJagOnly } });
      const jwt = await signedBy(enterprise, {}, "JWT");
      return [(await enterprise.redeem(jwt)).status, brokenRule(enterprise.chat)];
    };
    assertEquals(await statusWith(false), [200, undefined]);
    assertEquals(await statusWith(true), [400, "assertion.signature"]);
  });
});

type ChangedClaims = object | ((enterprise: Enterprise) => object);

/** Redeems an ID-JAG with changed claims. */
function redeeming(changes: ChangedClaims, typ?: string): Play<EnterpriseKit> {
  return async ({ enterprise }) => {
    const claims = typeof changes === "function" ? changes(enterprise) : changes;
    await enterprise.redeem(await signedBy(enterprise, claims, typ));
  };
}

/** Redeems an ID-JAG that was spoiled. */
function forging(spoil: (jwt: string) => string | Promise<string>): Play<EnterpriseKit> {
  return async ({ enterprise }) => enterprise.redeem(await spoil(await enterprise.idJag()));
}

/** Redeems an ID-JAG with changes to the request. Without them, it is still worth a token. */
function requesting(changes: Fields, headers?: Record<string, string>): Play<EnterpriseKit> {
  return async ({ enterprise }) => {
    const jwt = await enterprise.idJag();
    await enterprise.redeem(jwt, changes, headers);
    return () => enterprise.redeem(jwt);
  };
}

describe("An ID-JAG is refused, and nothing is issued,", () => {
  const past = (enterprise: Enterprise) => seconds(enterprise.idp) - 3600;
  const claims: Record<string, [rule: string, claims: ChangedClaims]> = {
    "J15 for another server": ["assertion.audience", { aud: "https://wiki.example" }],
    "J15 for this server with a slash": ["assertion.audience", { aud: `${chat}/` }],
    "J15 for the token endpoint": ["assertion.audience", { aud: `${chat}/oauth2/token` }],
    "J15 for the resource": ["assertion.audience", { aud: mcp }],
    "J15 for two servers": ["assertion.audience", { aud: [chat, "https://wiki.example"] }],
    "J15 for two servers, of which the other is first": ["assertion.audience", {
      aud: ["https://wiki.example", chat],
    }],
    "J15 for this server twice": ["assertion.audience", { aud: [chat, chat] }],
    "J15 for nobody": ["assertion.audience", { aud: [] }],
    "J15 without an audience": ["assertion.audience", { aud: undefined }],
    "J15 with an object as the audience": ["assertion.audience", { aud: { 0: chat, length: 1 } }],
    "J16 for another client": ["assertion.client", { client_id: "other-there" }],
    "J16 for the client as the company knows it": ["assertion.client", { client_id: "agent" }],
    "J16 for the client in capitals": ["assertion.client", { client_id: "AGENT-THERE" }],
    "J16 for a list of clients": ["assertion.client", { client_id: ["agent-there"] }],
    "J16 without a client": ["assertion.client", { client_id: undefined }],
    "J16 with an azp in place of the client": ["assertion.client", {
      client_id: undefined,
      azp: "agent-there",
    }],
    "J17 for a resource of another server": ["id_jag.resource", {
      resource: "https://wiki.example/mcp",
    }],
    "J17 for a resource beside that of this server": ["id_jag.resource", {
      resource: [mcp, "https://wiki.example/mcp"],
    }],
    "J17 for a resource below that of this server": ["id_jag.resource", {
      resource: `${mcp}/tools`,
    }],
    "J17 for a resource in another spelling": ["id_jag.resource", { resource: `${mcp}/../mcp` }],
    "J17 for the resource with a query": ["id_jag.resource", { resource: `${mcp}?admin` }],
    "J17 for no resource": ["assertion.resource_form", { resource: [] }],
    "J17 for a number as the resource": ["assertion.resource_form", { resource: 7 }],
    "J17 with a scope of another server": ["id_jag.scope", { scope: "chat.read wiki.read" }],
    "J17 with a scope that the client may not have": ["id_jag.scope_allowed", {
      scope: "chat.admin",
    }],
    "J17 with an empty scope": ["assertion.scope_form", { scope: "" }],
    "J17 with a list as the scope": ["assertion.scope_form", { scope: ["chat.read"] }],
    "J17 with a null scope": ["assertion.scope_form", { scope: null }],
    "J17 with a scope that begins like one of this server": ["id_jag.scope", {
      scope: "chat.reader",
    }],
    "J27 of a tenant": ["id_jag.tenant", { tenant: "acme" }],
    "J27 of a null tenant": ["id_jag.tenant", { tenant: null }],
    "J28 with details": ["id_jag.no_details", { authorization_details: [{ type: "a" }] }],
    "J28 with an empty list of details": ["id_jag.no_details", { authorization_details: [] }],
    "J20 without an id": ["assertion.jti", { jti: undefined }],
    "J20 with an empty id": ["assertion.jti", { jti: "" }],
    "J20 with a number as the id": ["assertion.jti", { jti: 1 }],
    "J21 with a key, without a proof": ["assertion.key", { cnf: { jkt: "a" } }],
    "J21 with a key of another kind": ["assertion.key", { cnf: { "x5t#S256": "a" } }],
    "J21 with a null key": ["assertion.key", { cnf: null }],
    "J24 without an end": ["assertion.times", { exp: undefined }],
    "J24 with a text as the end": ["assertion.times", { exp: "9999999999" }],
    "J24 after its end": ["assertion.times", (at) => ({ iat: past(at), exp: past(at) + 300 })],
    "J24 that lives for a day": ["assertion.times", (at) => ({ exp: seconds(at.idp) + 24 * 3600 })],
    "J24 that was issued for two hours, although the second is nearly over": [
      "assertion.times",
      (at) => ({ iat: seconds(at.idp) - 7140, exp: seconds(at.idp) + 60 }),
    ],
    "J24 without its beginning": ["assertion.times", { iat: undefined }],
    "J24 from the future": ["assertion.times", (at) => ({ iat: seconds(at.idp) + 60 })],
    "J24 before its time": ["assertion.times", (at) => ({ nbf: seconds(at.idp) + 60 })],
    "J24 for an unknown user": ["assertion.user", { sub: "mallory" }],
    "J29 for an unknown user, although other claims name a known one": ["assertion.user", {
      sub: "mallory",
      sub_id: { format: "iss_sub", iss: company, sub: "alice" },
      aud_sub: "alice",
    }],
    "J24 for a list of users": ["assertion.sub", { sub: ["alice"] }],
    "J24 without a user": ["assertion.sub", { sub: undefined }],
    "J24 for a name that every object has": ["assertion.user", { sub: "__proto__" }],
    "J24 of an issuer that is not trusted": ["assertion.issuer", { iss: "https://evil.example" }],
    "J24 of an issuer with a slash": ["assertion.issuer", { iss: `${company}/` }],
    "J24 without an issuer": ["assertion.issuer", { iss: undefined }],
    "J22 of this server itself": ["assertion.foreign", { iss: chat }],
  };
  itRefuses(toRows(claims, ([rule, changes]) => [rule, redeeming(changes)]), { open: openChat });

  for (const typ of ["at+jwt", "logout+jwt", "id-jag+jwt", "oauth-id-jag", "dpop+jwt", ""]) {
    itRefuses({ [`J14 with the typ '${typ}'`]: ["assertion.signature", redeeming({}, typ)] }, {
      open: openChat,
    });
  }

  /** Spoils the JWT itself. */
  const forgeries: Record<string, (jwt: string) => string | Promise<string>> = {
    "J24 whose claims were changed": (jwt) => {
      const [header, , signature] = jwt.split(".");
      return [header, encode({ ...claimsOf(jwt), sub: "bob" }), signature].join(".");
    },
    "J24 whose header was changed": (jwt) => {
      const [, claims, signature] = jwt.split(".");
      return [encode({ alg: "RS256", typ: idJagType }), claims, signature].join(".");
    },
    "J24 without a signature": (jwt) => `${jwt.split(".").slice(0, 2).join(".")}.`,
    "J24 with the algorithm none": (jwt) =>
      `${encode({ alg: "none", typ: idJagType })}.${jwt.split(".")[1]}.`,
    "J24 that another key signed": async (jwt) => {
      const key = await makeClientKey("RS256");
      return await key.sign(claimsOf(jwt), { typ: idJagType });
    },
    "J24 that names its own key": async (jwt) => {
      const key = await makeClientKey("ES256");
      return await key.sign(claimsOf(jwt), { typ: idJagType, jwk: key.publicJwk });
    },
    "J24 that names the site of its own key": async (jwt) => {
      const key = await makeClientKey("ES256", "evil");
      return await key.sign(claimsOf(jwt), { typ: idJagType, jku: "https://evil.example/jwks" });
    },
    "J24 in another spelling": (jwt) => `${jwt}=`,
  };
  itRefuses({
    ...toRows(forgeries, (spoil) => ["assertion.signature", forging(spoil)]),
    "J24 with two more parts, as if it was encrypted": [
      "assertion.issuer",
      forging((jwt) => `${jwt}.a.b`),
    ],
  }, { open: openChat });

  /** Requests that the wrong client sends, or that ask for something else. */
  const requests: Record<string, [rule: string, fields: Fields]> = {
    "J18 for another resource of this server": ["resource.granted", { resource: files }],
    "J18 for a resource beside its own": ["resource.granted", { resource: [mcp, files] }],
    "J18 for a resource of nobody": ["resource.known", { resource: "https://evil.example" }],
    "J19 for a scope that it does not assert": ["scope.allowed", { scope: "openid" }],
    "J20 with a second assertion": ["form.unique", { assertion: ["a", "b"] }],
  };
  itRefuses(toRows(requests, ([rule, fields]) => [rule, requesting(fields)]), { open: openChat });
  itRefuses({
    "J16 from another client that the issuer is trusted for": [
      "assertion.client",
      requesting({}, basic("other-there", "t")),
    ],
    "J16 from a client that the issuer is not trusted for": [
      "assertion.issuer",
      requesting({}, basic("unlisted", "t")),
    ],
    "J23 without the secret of the client": [
      "client.authenticated",
      requesting({ client_id: "agent-there" }, {}),
    ],
    "J23 with another client's secret": [
      "client.authenticated",
      requesting({}, basic("agent-there", "s")),
    ],
  }, { open: openChat });

  it("J28 if the request asks for details that it does not assert", async () => {
    const authorizationDetails = { note: { meaning: "Write a note", members: {} } };
    const enterprise = openEnterprise({ chat: { authorizationDetails } });
    const fields = { authorization_details: '[{"type":"note"}]' };
    const { body } = await enterprise.redeem(await enterprise.idJag(), fields);
    assertEquals(body.error, "invalid_authorization_details");
  });

  it("J27 of another tenant than the trusted one, and taken of that one", async () => {
    const redeemOf = async (tenant: string | undefined) => {
      const enterprise = openEnterprise({ trust: { tenant: "acme" } });
      return (await enterprise.redeem(await signedBy(enterprise, { tenant }))).body.error;
    };
    assertEquals(await redeemOf("acme"), undefined);
    assertEquals(await redeemOf("evil"), "invalid_grant");
    assertEquals(await redeemOf(undefined), "invalid_grant");
  });

  it("J27 of another tenant, or of none, also as another assertion", async () => {
    for (const tenant of ["acme", "evil", undefined]) {
      const enterprise = openEnterprise({ trust: { tenant: "acme" } });
      const { status } = await enterprise.redeem(await signedBy(enterprise, { tenant }, "JWT"));
      const expected = tenant === "acme" ? [200, undefined] : [400, "id_jag.tenant"];
      assertEquals([status, brokenRule(enterprise.chat)], expected);
    }
  });

  it("J18 for a resource that differs by the slash, if both are of this server", async () => {
    const slash = `${mcp}/`;
    const capitals = "HTTPS://chat.example/mcp/";
    const pairs = [[mcp, slash], [slash, mcp], [mcp, capitals], [capitals, mcp]];
    for (const [resource, requested] of pairs) {
      const enterprise = openEnterprise({ chat: { resources: [mcp, slash] } });
      const jwt = await signedBy(enterprise, { resource });
      const { body } = await enterprise.redeem(jwt, { resource: requested });
      assertEquals([body.error, body.access_token], ["invalid_target", undefined]);
    }
  });

  it("J23 from a public client, even with a proof of the key", async () => {
    const key = await proofKey("ES256");
    const publicClient = { id: "public", redirectUris: ["https://app.example/cb"] };
    const enterprise = openEnterprise({ chat: { clients: [publicClient] } });
    const jwt = await signedBy(enterprise, { client_id: "public", cnf: { jkt: key.jkt } });
    const DPoP = await makeProof(key, "POST", `${chat}/oauth2/token`);
    const { body } = await enterprise.redeem(jwt, { client_id: "public" }, { DPoP });
    assertEquals(body.error, "unauthorized_client");
  });

  it.inEnterprise("J21 with a proof of another key", async (enterprise) => {
    const [key, another] = [await proofKey("ES256"), await proofKey("ES256 another")];
    const jwt = await signedBy(enterprise, { cnf: { jkt: key.jkt } });
    const DPoP = await makeProof(another, "POST", `${chat}/oauth2/token`);
    const { body } = await enterprise.redeem(jwt, {}, { ...agentThere, DPoP });
    assertEquals([body.error, brokenRule(enterprise.chat)], ["invalid_grant", "assertion.key"]);
  });

  it.inEnterprise("J22 by the company that issued it, whatever it says", async (enterprise) => {
    const trusting = openEnterprise({
      idp: {
        grantTypes: [jwtBearerGrantType],
        clients: [{ id: "agent", secret: "s", grantTypes: [jwtBearerGrantType] }],
        trustedIssuers: [{ issuer: chat, jwksUri: `${chat}/jwks`, clients: ["agent"] }],
      },
    });
    for (const changes of [{}, { aud: company }, { aud: company, client_id: "agent" }]) {
      const assertion = await signedBy(enterprise, changes);
      const fields = { grant_type: jwtBearerGrantType, assertion };
      const { body } = await trusting.idp.token(fields, basic("agent", "s"));
      assertEquals([body.error, brokenRule(trusting.idp)], ["invalid_grant", "assertion.foreign"]);
    }
  });

  it("J24 if the user here is disabled", async () => {
    const enterprise = openEnterprise({
      chat: { users: [{ name: "alice", password: "a long password 1", disabled: true }] },
    });
    const { body } = await enterprise.redeem(await enterprise.idJag());
    assertEquals([body.error, brokenRule(enterprise.chat)], ["invalid_grant", "assertion.user"]);
  });
});

function encode(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
}
