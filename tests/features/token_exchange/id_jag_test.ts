import { assert, assertEquals } from "@std/assert";
import { decodeProtectedHeader } from "jose";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import {
  idJagTokenType,
  tokenExchangeGrantType,
} from "../../../src/server/protocol/grant_types.ts";
import { makeProof, proofKey } from "../../support/dpop.ts";
import {
  agent,
  chat,
  company,
  type EnterpriseKit,
  entries,
  files,
  mcp,
  openCompany,
  openEnterprise,
  refreshTokenType,
} from "../../support/enterprise.ts";
import { basic, claimsOf, type Fields, read, startOfTime } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import { brokenRule, itRefuses, type Play, toRows } from "../../support/refusals.ts";
import { hasFeature } from "../../support/where_feature.ts";

const now = startOfTime / 1000;
const offline = { scope: "openid offline_access", prompt: "consent" };
const redirectUris = [`${company}/authorized`];
const grantTypes = ["authorization_code", "refresh_token", tokenExchangeGrantType];

/** The client "agent" with other settings. */
function agentWith(settings: Partial<ClientConfig>): ClientConfig {
  return { id: "agent", secret: "s", redirectUris, grantTypes, ...settings };
}

describe("An ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant, section 4.3)", () => {
  it("J01 J02 J03 J09 comes for an ID token, with what the configuration says about the other domain", async () => {
    const enterprise = openEnterprise();
    const { id_token } = await enterprise.signIn();
    const { status, headers, body } = await enterprise.request(id_token, { scope: "chat.read" });
    const { access_token, ...others } = body;
    assertEquals([status, headers.get("Cache-Control")], [200, "no-store"]);
    assertEquals<unknown>(others, {
      issued_token_type: idJagTokenType,
      token_type: "N_A",
      expires_in: 300,
      scope: "chat.read",
    });
    assertEquals(decodeProtectedHeader(access_token).typ, "oauth-id-jag+jwt");
    const { jti, ...claims } = claimsOf(access_token);
    assert(typeof jti === "string" && jti.length > 20);
    assertEquals<unknown>(claims, {
      iss: company,
      sub: "alice",
      aud: chat,
      client_id: "agent-there",
      iat: now,
      exp: now + 300,
      resource: mcp,
      scope: "chat.read",
      auth_time: now,
      amr: ["pwd"],
    });
  });

  it("J07 comes for a refresh token, which stays as it is", async () => {
    const enterprise = openEnterprise();
    const { refresh_token } = await enterprise.signIn(offline);
    const ask = () => enterprise.request(refresh_token, { subject_token_type: refreshTokenType });
    enterprise.advance(3 * 3600);
    assertEquals([(await ask()).status, (await ask()).status], [200, 200]);
    const fields = { grant_type: "refresh_token", refresh_token };
    assertEquals((await enterprise.idp.token(fields, agent)).status, 200);
  });

  it("J09 never outlives the token that it was requested with", async () => {
    const enterprise = openEnterprise();
    const { id_token } = await enterprise.signIn();
    const { exp } = claimsOf(id_token);
    enterprise.advance(exp - now - 20);
    const { body } = await enterprise.request(id_token);
    assertEquals([body.expires_in, claimsOf(body.access_token).exp], [20, exp]);
  });

  it("has another id each time", async () => {
    const enterprise = openEnterprise();
    const { id_token } = await enterprise.signIn();
    const ask = async () => claimsOf((await enterprise.request(id_token)).body.access_token).jti;
    assert(await ask() !== await ask());
  });

  it("needs no resource where the audience has one entry, and has the whole allowed scope by default", async () => {
    const enterprise = openEnterprise();
    const jwt = await enterprise.idJag({ audience: "https://wiki.example", resource: undefined });
    const { aud, client_id, scope, resource } = claimsOf<Fields>(jwt);
    assertEquals([aud, client_id, scope, resource], [
      "https://wiki.example",
      "agent-wiki",
      "wiki.read wiki.write",
      undefined,
    ]);
  });

  it("J10 has only the scopes that are requested, of the entry, and of the user", async () => {
    const enterprise = openEnterprise();
    const bob = { user: "bob", password: "bob" };
    const { id_token } = await enterprise.signIn({}, bob);
    const wiki = { audience: "https://wiki.example", resource: undefined };
    const scopeFor = async (changes: Fields) =>
      (await enterprise.request(id_token, changes)).body.scope;
    assertEquals(await scopeFor({ ...wiki }), "wiki.read");
    assertEquals(await scopeFor({ ...wiki, scope: "wiki.read wiki.write chat.read" }), "wiki.read");
    assertEquals(await scopeFor({ resource: files, scope: "chat.write chat.read" }), "chat.read");
  });

  it("J11 is bound to the key of a DPoP proof", async () => {
    const enterprise = openEnterprise();
    const key = await proofKey("ES256");
    const proof = await makeProof(key, "POST", `${company}/oauth2/token`, {
      now: enterprise.idp.clock.now,
    });
    const jwt = await enterprise.idJag({}, { ...agent, DPoP: proof });
    assertEquals(claimsOf(jwt).cnf, { jkt: key.jkt });
  });

  it("J12 names a verified email address if the entry wants it, and otherwise none", async () => {
    const entry = present(entries[0]);
    const emailFor = async (email_verified: boolean, email: boolean) => {
      const claims = { email: "a@b.example", email_verified };
      const enterprise = openEnterprise({
        idp: {
          users: [{ name: "alice", password: "alice", claims }],
          clients: [agentWith({ idJag: [{ ...entry, email }] })],
        },
      });
      return claimsOf(await enterprise.idJag()).email;
    };
    assertEquals(await emailFor(true, true), "a@b.example");
    assertEquals(await emailFor(false, true), undefined);
    assertEquals(await emailFor(true, false), undefined);
  });

  it("J13 names the user by the subject that the other server sees when it signs users in here", async () => {
    const entry = present(entries[0]);
    const party = { id: "chat", secret: "s", redirectUris: ["https://chat.example/cb"] };
    const enterprise = openEnterprise({
      idp: {
        clients: [
          { ...party, subjectType: "pairwise" },
          agentWith({ subjectType: "pairwise", idJag: [{ ...entry, relyingParty: "chat" }] }),
        ],
      },
    });
    const { id_token } = await enterprise.signIn();
    const { sub } = claimsOf((await enterprise.request(id_token)).body.access_token);
    const code = await enterprise.idp.code({
      client_id: "chat",
      redirect_uri: "https://chat.example/cb",
      scope: "openid",
    });
    const atChat = await enterprise.idp.redeem(
      code,
      { client_id: undefined, redirect_uri: "https://chat.example/cb" },
      basic("chat", "s"),
    );
    assertEquals(sub, claimsOf(atChat.body.id_token).sub);
    assert(sub !== claimsOf(id_token).sub && sub !== "alice");
  });

  it("is refused for a user who may not use the client of the other domain", async () => {
    const entry = present(entries[0]);
    const party = { id: "chat", secret: "s", redirectUris: ["https://chat.example/cb"] };
    for (const [groups, status] of [[["staff"], 200], [["nobody"], 400]] as const) {
      const enterprise = openEnterprise({
        idp: {
          clients: [
            { ...party, groups: [...groups] },
            agentWith({ idJag: [{ ...entry, relyingParty: "chat" }] }),
          ],
        },
      });
      const { id_token } = await enterprise.signIn();
      assertEquals((await enterprise.request(id_token)).status, status);
    }
  });

  if (hasFeature("assertions")) {
    it("J04 is advertised where a client may get one, and its redemption where an issuer is trusted", async () => {
      const { idp, chat } = openEnterprise();
      const membersOf = async (kit: typeof idp) => {
        const { body } = await read(await kit.get("/.well-known/oauth-authorization-server"));
        return [
          body.identity_chaining_requested_token_types_supported,
          body.authorization_grant_profiles_supported,
        ];
      };
      assertEquals<unknown>(await membersOf(idp), [[idJagTokenType], undefined]);
      assertEquals<unknown>(await membersOf(chat), [
        undefined,
        ["urn:ietf:params:oauth:grant-profile:id-jag"],
      ]);
    });
  }
});

/** Requests an ID-JAG with changes. Without them, it is issued: the refusal spends nothing. */
function requesting(changes: Fields, headers?: Record<string, string>): Play<EnterpriseKit> {
  return async ({ enterprise }) => {
    const { id_token } = await enterprise.signIn();
    await enterprise.request(id_token, changes, headers);
    return () => enterprise.request(id_token);
  };
}

describe("A request for an ID-JAG is refused", () => {
  const refusals: Record<string, [rule: string, changes: Fields]> = {
    "J05 for an audience of nobody": ["id_jag.audience", { audience: "https://evil.example" }],
    "J05 for an audience with a slash at its end": ["id_jag.audience", { audience: `${chat}/` }],
    "J05 for an audience in capitals": ["id_jag.audience", { audience: chat.toUpperCase() }],
    "J05 for an audience of another client": ["id_jag.audience", {
      audience: "https://other.example",
    }],
    "J05 for this server itself": ["id_jag.audience", { audience: company }],
    "J05 for the token endpoint of the audience": ["id_jag.audience", {
      audience: `${chat}/oauth2/token`,
    }],
    "J05 for a resource as the audience": ["id_jag.audience", { audience: mcp }],
    "J05 without an audience": ["id_jag.audience_once", { audience: undefined }],
    "J05 for two audiences": ["id_jag.audience_once", { audience: [chat, "https://wiki.example"] }],
    "J05 for the same audience twice": ["id_jag.audience_once", { audience: [chat, chat] }],
    "J05 for another resource of the audience": ["id_jag.target", { resource: `${chat}/admin` }],
    "J05 for a resource below that of the entry": ["id_jag.target", { resource: `${mcp}/tools` }],
    "J05 for a resource of another entry's audience": ["id_jag.target", {
      audience: "https://wiki.example",
    }],
    "J05 for two resources": ["id_jag.target", { resource: [mcp, files] }],
    "J05 for the same resource twice": ["id_jag.target", { resource: [mcp, mcp] }],
    "J05 without a resource where the audience has two": ["id_jag.target", { resource: undefined }],
    "J05 for a scope that no entry has": ["id_jag.granted_scope", { scope: "chat.admin" }],
    "J05 for a scope of this server": ["id_jag.granted_scope", { scope: "openid" }],
    "J05 for a scope of another entry": ["id_jag.granted_scope", {
      resource: files,
      scope: "chat.write",
    }],
    "J05 for a scope with two spaces": ["scope.form", { scope: "chat.read  chat.write" }],
    "J05 with an actor": ["id_jag.actor", { actor_token: "a", actor_token_type: refreshTokenType }],
    "J05 with the type of an actor alone": ["id_jag.actor", { actor_token_type: refreshTokenType }],
    "J05 with authorization_details": ["id_jag.details", {
      authorization_details: '[{"type":"a"}]',
    }],
    "J05 without a subject_token": ["subject_token.present", { subject_token: undefined }],
    "J05 without its type": ["subject_token_type.present", { subject_token_type: undefined }],
    "J05 with the type of an access token": ["id_jag.subject_token_type", {
      subject_token_type: "urn:ietf:params:oauth:token-type:access_token",
    }],
    "J05 with the type of any JWT": ["id_jag.subject_token_type", {
      subject_token_type: "urn:ietf:params:oauth:token-type:jwt",
    }],
    "J05 with the type of SAML": ["id_jag.subject_token_type", {
      subject_token_type: "urn:ietf:params:oauth:token-type:saml2",
    }],
    "J05 with the type of an ID-JAG": ["id_jag.subject_token_type", {
      subject_token_type: idJagTokenType,
    }],
    "J05 with an ID token as a refresh token": ["id_jag.subject_token", {
      subject_token_type: refreshTokenType,
    }],
    "J05 with words for a token": ["id_jag.subject_token", { subject_token: "a.b.c" }],
  };
  itRefuses(toRows(refusals, ([rule, changes]) => [rule, requesting(changes)]), {
    open: openCompany,
  });

  it("J05 is not issued for an actor, however good its token is (RFC 8693, section 2.2.2)", async () => {
    const enterprise = openEnterprise();
    const { id_token, access_token } = await enterprise.signIn();
    const prefix = "urn:ietf:params:oauth:token-type:";
    const actors = { access_token, id_token };
    for (const [type, actor_token] of Object.entries(actors)) {
      const actor = { actor_token, actor_token_type: prefix + type };
      const { body } = await enterprise.request(id_token, actor);
      assertEquals([body.error, body.access_token], ["invalid_request", undefined]);
      assertEquals(brokenRule(enterprise.idp), "id_jag.actor");
    }
    // The refusal spends nothing.
    assertEquals((await enterprise.request(id_token)).status, 200);
  });

  /** Requests that the wrong party sends. */
  itRefuses({
    "J06 from a client without an entry": ["id_jag.client", requesting({}, basic("without", "s"))],
    "J06 from a client without the grant": [
      "grant_type.allowed",
      requesting({}, basic("no-grant", "s")),
    ],
    "J06 from a public client": ["grant_type.allowed", requesting({ client_id: "spa" }, {})],
    "J06 from the client without its secret": [
      "client.authenticated",
      requesting({ client_id: "agent" }, {}),
    ],
    "J06 from the client with a wrong secret": [
      "client.authenticated",
      requesting({}, basic("agent", "x")),
    ],
    "J06 from nobody": ["client.named", requesting({ client_id: undefined }, {})],
  }, { open: openCompany });
});
