import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe } from "node:test";
import { demoPublicKey } from "../../../../src/lab/demo/demo_keys.ts";
import type { ClientConfig, HallpassOptions, TestLab } from "../../../../src/lab/testing/mod.ts";
import { deviceCodeGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { fieldsOf } from "../../../support/apple_login.ts";
import { createBrowser } from "../../../support/browser.ts";
import { assertionType, makeClientKey } from "../../../support/client_key.ts";
import { challenge, verifier } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import {
  callback,
  callbackOf,
  clientAt,
  entraEndpoints,
  entraTenant as tenant,
  openProvider,
  playedStatus,
  webClient,
} from "../../../support/provider_login.ts";
import { assertClean, assertLeniency } from "../../../support/reported.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({ inLab: () => open(), withResponseTypes: needs("response_types") });

const personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
const scope = "openid profile email";
const guid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;
const empty = "InvalidAuthenticationToken";
const grantTypes = ["authorization_code", "refresh_token", deviceCodeGrantType];

const open = (options: HallpassOptions = {}) =>
  openProvider("entra", { clients: [{ ...webClient, grantTypes }], ...options });

/** A client that sends its users to all tenants, to a kind of them, or to one. */
const appAt = (lab: TestLab, segment: string) => clientAt(lab, entraEndpoints(segment));

/** Follows the link of a device in a browser, and signs in. Returns the last page. */
async function enterByHand(lab: TestLab, link: string, user: string): Promise<string> {
  const browser = createBrowser((request) => lab.fetch(request), () => false);
  const user_code = new URL(link).searchParams.get("user_code") ?? "";
  const page = await browser.submit(await browser.open(link), "device", { user_code });
  const fields = { username: user, password: user };
  const signedIn = await browser.submit(page, "sign-in", fields);
  if (!signedIn.html.includes('id="consent"')) return signedIn.html;
  return (await browser.submit(signedIn, "consent", { decision: "allow" })).html;
}

describe("A lab that plays Entra", () => {
  for (const name of ["authorize", "token"]) {
    it.inLab(`entra.v1: X4: names version 1.0 as not played at its ${name}`, async (lab) => {
      const response = await lab.fetch(`https://hallpass.test/common/oauth2/${name}`);
      assertEquals(response.status, 404);
      assertMatch(await response.text(), /does not play this path of the provider: .*version 1\.0/);
    });
  }

  it.inLab("entra.issuer: has a tenant in its issuer, which a test may choose", async (lab) => {
    assertEquals(lab.issuer, `https://hallpass.test/${tenant}/v2.0`);
    const issuer = "https://login.microsoftonline.com/11112222-bbbb-3333-cccc-4444dddd5555/v2.0";
    await using chosen = await open({ issuer });
    assertEquals(chosen.issuer, issuer);
    const path = "/11112222-bbbb-3333-cccc-4444dddd5555/v2.0/.well-known/openid-configuration";
    assertEquals((await chosen.json(path)).issuer, issuer);
  });

  it("entra.hosts: has the same metadata at older hosts", async () => {
    await using lab = await open({ hosts: true });
    for (const host of ["login.microsoft.com", "login.windows.net", "sts.windows.net"]) {
      const url = `https://${host}/${tenant}/v2.0/.well-known/openid-configuration`;
      assertEquals((await (await lab.fetch(url)).json()).issuer, lab.issuer);
    }
    assertEquals((await lab.fetch("https://graph.microsoft.com/v1.0/me")).status, 401);
  });

  it.inLab("entra.tenantid: publishes the true issuer for the tenant", async (lab) => {
    const played = await lab.json(`/${tenant}/v2.0/.well-known/openid-configuration`);
    assertEquals(played.issuer, lab.issuer);
    assertEquals(played.token_endpoint, lab.tokenUrl);
  });

  for (const segment of [tenant, "common", "organizations"]) {
    it.inLab(`entra.paths: signs users in at /${segment}, with tokens of the tenant`, async (lab) => {
      const { tokens } = await appAt(lab, segment).logIn({ scope });
      const { payload } = await lab.verify(tokens.id_token, `/${segment}/discovery/v2.0/keys`);
      assertEquals(payload.tid, tenant);
      const user = await lab.json("/oidc/userinfo", tokens.access_token);
      assertEquals([user.sub, user.name], [payload.sub, "Alice Adler"]);
    });
  }

  it.inLab("entra.paths: signs out and begins devices as well", async (lab) => {
    assertEquals((await lab.get("/common/oauth2/v2.0/logout")).status, 200);
    const { device_code } = (await lab.form("/common/oauth2/v2.0/devicecode", { scope })).body;
    const grant = { grant_type: deviceCodeGrantType, device_code };
    const { body } = await appAt(lab, "common").token(grant);
    assertMatch(body.error_description, /^AADSTS70016: /);
  });

  it.inLab("entra.no_tenant: knows no other tenant", async (lab) => {
    const url = "https://hallpass.test/contoso/v2.0/.well-known/openid-configuration";
    const response = await lab.fetch(url);
    const body = await response.json();
    assertEquals([response.status, body.error, body.error_codes], [400, "invalid_tenant", [90002]]);
    assertMatch(body.error_description, /^AADSTS90002: Tenant 'contoso' not found\.\r\nTrace ID: /);
  });

  it.inLab("entra.instance: answers instance discovery with its own host", async (lab) => {
    const query = "api-version=1.1&authorization_endpoint=https://hallpass.test/common/x";
    const found = await lab.json(`/common/discovery/instance?${query}`);
    assertEquals(found.metadata[0].preferred_network, "hallpass.test");
    const { pathname } = new URL(found.tenant_discovery_endpoint);
    assertEquals((await lab.json(pathname)).cloud_instance_name, "microsoftonline.com");
  });

  it.inLab("entra.scopes: takes the scope of Graph in both forms", async (lab) => {
    for (const asked of ["User.Read", "https://graph.microsoft.com/User.Read"]) {
      const { tokens } = await lab.logIn({ scope: asked });
      assertEquals([tokens.scope, tokens.id_token], [asked, undefined]);
    }
  });

  it("entra.pairwise: has another sub for each application, and one oid", async () => {
    const other = { ...webClient, id: "other", redirectUris: ["https://other.example/callback"] };
    await using lab = await open({ clients: [webClient, other] });
    const claims = async (client: string) =>
      decodeJwt((await lab.mint({ kind: "id", sub: "alice", scope, client })).token);
    const [one, two] = [await claims("web"), await claims("other")];
    assertNotEquals(one.sub, two.sub);
    assertEquals(one.oid, two.oid);
    assertMatch(String(one.oid), guid);
    const { tokens } = await lab.logIn({ scope: "openid" });
    assertEquals(decodeJwt(tokens.id_token).oid, undefined);
    assertEquals(decodeJwt(tokens.id_token).sub, one.sub);
  });

  it.inLab("entra.id_token: has these claims and no other", async (lab) => {
    const { tokens } = await lab.logIn({ scope, nonce: "n" });
    assertEquals(Object.keys(decodeJwt(tokens.id_token)).sort(), [
      ...["aud", "email", "exp", "groups", "iat", "iss", "name", "nbf", "nonce", "oid"],
      ...["preferred_username", "sid", "sub", "tid", "uti", "ver"],
    ]);
    assertEquals(decodeProtectedHeader(tokens.id_token).typ, "JWT");
  });

  it.inLab("entra.access_token: is a JWT in the shape of Entra, which the lab knows again", async (lab) => {
    const { tokens } = await lab.logIn({ scope });
    const claims = decodeJwt(tokens.access_token);
    assertEquals(Object.keys(claims).sort(), [
      ...["aud", "azp", "azpacr", "exp", "groups", "iat", "iss", "nbf", "oid", "scp", "sub", "tid"],
      ...["uti", "ver"],
    ]);
    assertEquals([claims.azp, claims.scp, claims.ver], ["web", scope, "2.0"]);
    assertEquals(decodeProtectedHeader(tokens.access_token).typ, "JWT");
    const keys = createLocalJWKSet(await lab.json("/common/discovery/v2.0/keys"));
    const currentDate = new Date(lab.clock.now());
    await jwtVerify(tokens.access_token, keys, { issuer: lab.issuer, currentDate });
    lab.clock.advance("3600s");
    const late = await lab.json("/oidc/userinfo", tokens.access_token);
    assertEquals(late.error, "invalid_token");
  });

  it.inLab("entra.access_token: is minted in the same shape", async (lab) => {
    const { token } = await lab.mint({ sub: "alice", scope: "User.Read", client: "web" });
    const { scp, client_id, tid } = decodeJwt(token);
    assertEquals([scp, client_id, tid], ["User.Read", undefined, tenant]);
    assertEquals((await lab.json("/v1.0/me", token)).givenName, "Alice");
    const mint = { sub: "alice", scope: "User.Read", client: "web", expiresIn: "5m" } as const;
    const short = await lab.mint(mint);
    assertEquals((await lab.json("/v1.0/me", short.token)).givenName, "Alice");
    lab.clock.advance("6m");
    assertEquals((await lab.json("/v1.0/me", short.token)).error.code, empty);
  });

  it.inLab("entra.consumers: has the metadata of personal accounts, at both names of their tenant", async (lab) => {
    for (const name of ["consumers", personal]) {
      const played = await lab.json(`/${name}/v2.0/.well-known/openid-configuration`);
      assertEquals(played.issuer, `https://hallpass.test/${personal}/v2.0`);
      assertEquals(played.token_endpoint, appAt(lab, name).tokenUrl);
    }
  });

  it("entra.consumers: issues tokens of that tenant to a personal account, at common as well", async () => {
    const users = [{ name: "zoe", claims: { tid: personal, name: "Zoe" } }];
    await using lab = await open({ users, signIn: "zoe" });
    for (const segment of ["common", "consumers"]) {
      const { tokens } = await appAt(lab, segment).logIn({ scope: `${scope} User.Read` });
      const keys = createLocalJWKSet(await lab.json(`/${segment}/discovery/v2.0/keys`));
      const issuer = `https://hallpass.test/${personal}/v2.0`;
      const currentDate = new Date(lab.clock.now());
      for (const token of [tokens.id_token, tokens.access_token]) {
        const { payload } = await jwtVerify(token, keys, { issuer, currentDate });
        assertEquals(payload.tid, personal);
      }
      assertEquals((await lab.json("/v1.0/me", tokens.access_token)).displayName, "Zoe");
    }
  });

  const people = [
    { name: "zoe", claims: { tid: personal, email: "zoe@outlook.com" } },
    { name: "ann", claims: { tid: "11112222-bbbb-3333-cccc-4444dddd5555", email: "ann@b.test" } },
    { name: "bob", claims: { email: "bob@a.test" } },
  ];
  const paths: Array<[segment: string, refused: Record<string, RegExp>]> = [
    ["common", {}],
    ["organizations", { zoe: /AADSTS500208: The domain is not a valid login domain/ }],
    ["consumers", { ann: /AADSTS500208/, bob: /AADSTS500208/ }],
    [personal, { ann: /AADSTS500208/, bob: /AADSTS500208/ }],
    [tenant, {
      zoe: /AADSTS50020: User account &apos;zoe@outlook.com&apos; is not in/,
      ann: /AADSTS50020: User account &apos;ann@b\.test&apos;/,
    }],
    ["a.onmicrosoft.com", { zoe: /AADSTS50020/, ann: /AADSTS50020/ }],
  ];
  for (const [segment, refused] of paths) {
    it(`entra.accounts: refuses ${Object.keys(refused).join(", ") || "nobody"} at /${segment}`, async () => {
      await using lab = await open({ users: people, signIn: "zoe" });
      for (const { name } of people) {
        lab.signIn(name);
        const response = await appAt(lab, segment).ask({ scope });
        assertEquals([name, response.status], [name, refused[name] ? 400 : playedStatus]);
        const page = await response.text();
        if (refused[name]) assertMatch(page, refused[name]);
        assertEquals(response.headers.has("Location"), !refused[name]);
        const refusal = refused[name] ? "access_denied" : undefined;
        assertEquals(lab.requests().at(-1)?.refusal?.error, refusal);
      }
    });
  }

  it("entra.accounts: redirects a request for no page, and refuses on the page as well", async () => {
    await using lab = await open({ users: people, signIn: "zoe" });
    const app = appAt(lab, "organizations");
    const silent = await app.callback({ scope, prompt: "none" });
    const { error, error_description = "", state, code } = silent;
    assertEquals([error, state, code], ["interaction_required", "a-state", undefined]);
    assertMatch(error_description, /^AADSTS500208: /);
    lab.signIn(false);
    const query = new URLSearchParams({
      ...{ response_type: "code", client_id: "web", redirect_uri: callback, scope },
    });
    const attempt = () => lab.authorize(`${app.authorizeUrl}?${query}`, { user: "zoe" });
    assertMatch(String(await assertRejects(attempt)), /AADSTS500208/);
    const { code: own } = await lab.authorize(`${app.authorizeUrl}?${query}`, { user: "bob" });
    assertEquals(typeof own, "string");
  });

  it.withResponseTypes("entra.accounts: refuses before an ID token without a code as well", async () => {
    const types = { responseTypes: ["code" as const, "id_token" as const] };
    await using lab = await open({ users: people, signIn: "zoe", ...types });
    const parameters = { response_type: "id_token", response_mode: "form_post", nonce: "n" };
    const ask = () => appAt(lab, "organizations").ask({ scope, ...parameters });
    const refused = await ask();
    assertEquals(refused.status, 400);
    assertMatch(await refused.text(), /AADSTS500208/);
    lab.signIn("bob");
    const { id_token = "" } = await fieldsOf(await ask());
    assertEquals([decodeJwt(id_token).tid, decodeJwt(id_token).ver], [tenant, "2.0"]);
  });

  for (const isByHand of [false, true]) {
    const how = isByHand ? "on its pages" : "without a page";
    it(`entra.accounts: refuses the user of a device ${how}; it waits for another`, async () => {
      const users = people.map((each) => ({ ...each, password: each.name }));
      await using lab = await open({ users, signIn: "zoe" });
      const begun = await lab.form("/organizations/oauth2/v2.0/devicecode", { scope });
      const { device_code, user_code, verification_uri } = begun.body;
      const poll = async () => {
        lab.clock.advance("10s");
        const grant = { grant_type: deviceCodeGrantType, device_code };
        return (await appAt(lab, "organizations").token(grant)).body;
      };
      const enter = async (name: string) => {
        lab.signIn(isByHand ? false : name);
        const link = `${verification_uri}?user_code=${user_code}`;
        return isByHand ? await enterByHand(lab, link, name) : await (await lab.fetch(link)).text();
      };
      assertMatch(await enter("zoe"), /AADSTS500208/);
      assertEquals((await poll()).error, "authorization_pending");
      await enter("bob");
      assertEquals(decodeJwt((await poll()).access_token).tid, tenant);
    });
  }

  const authentications: Array<[azpacr: string, client: ClientConfig]> = [
    ["0", { id: "spa", redirectUris: [callback] }],
    ["1", webClient],
    ["2", { id: "key", redirectUris: [callback], jwks: { keys: [demoPublicKey] } }],
  ];
  for (const [azpacr, client] of authentications) {
    it(`entra.azpacr: is ${azpacr} in a token for the client ${client.id}`, async () => {
      await using lab = await open({ clients: [client] });
      const { token } = await lab.mint({ sub: "alice", scope: "User.Read", client: client.id });
      assertEquals(decodeJwt(token).azpacr, azpacr);
    });
  }

  const audiences: Array<[status: number, aud: string]> = [
    [200, "https://hallpass.test/common/oauth2/v2.0/token"],
    [200, `https://hallpass.test/${tenant}/v2.0`],
    [200, `https://hallpass.test/${tenant}/v2.0/oauth2/token`],
    [401, "https://hallpass.test/organizations/oauth2/v2.0/token"],
  ];
  for (const [status, aud] of audiences) {
    it(`entra.assertion: has the status ${status} at common with the aud ${aud}`, async () => {
      const key = await makeClientKey("PS256");
      const client = { id: "web", redirectUris: [callback], jwks: { keys: [key.publicJwk] } };
      await using lab = await open({ clients: [client] });
      lab.clock.freeze();
      const app = appAt(lab, "common");
      const { code = "" } = await app.callback({ scope });
      const now = Math.floor(lab.clock.now() / 1000);
      const claims = { iss: "web", sub: "web", aud, jti: "1", iat: now };
      const fields = { client_assertion_type: assertionType, code, redirect_uri: callback };
      const body = new URLSearchParams({
        ...{ ...fields, grant_type: "authorization_code", client_id: "web" },
        client_assertion: await key.sign({ ...claims, exp: now + 600 }),
      });
      assertEquals((await lab.fetch(app.tokenUrl, { method: "POST", body })).status, status);
    });
  }

  const guidOfApi = "11112222-bbbb-3333-cccc-4444dddd5555";
  const apis: Array<[scope: string, aud: string, scp: string]> = [
    [`api://${guidOfApi}/read openid api://${guidOfApi}/write`, guidOfApi, "read write"],
    ["https://orders.example/orders.read openid", "https://orders.example", "orders.read"],
    [`api://${guidOfApi}/read api://other/read`, guidOfApi, "read"],
    ["https://graph.microsoft.com/User.Read", "https://graph.microsoft.com", "User.Read"],
    ["openid profile", "https://graph.microsoft.com", "openid profile"],
  ];
  for (const [asked, aud, scp] of apis) {
    it(`entra.audience entra.graph: is ${aud} for the scope ${asked}`, async () => {
      await using lab = await open({ scopes: asked.split(" ") });
      const { tokens } = await lab.logIn({ scope: asked });
      const claims = decodeJwt(tokens.access_token);
      assertEquals([claims.aud, claims.scp], [aud, scp]);
      const minted = { sub: "alice", client: "web", audience: "api://other" };
      assertEquals(decodeJwt((await lab.mint(minted)).token).aud, "api://other");
    });
  }

  const orders = ["https://orders.example/read", "https://orders.example/write"];
  const all: Array<[asked: string, aud: string, scp: string]> = [
    ["https://graph.microsoft.com/.default", "https://graph.microsoft.com", "User.Read"],
    ["https://orders.example/.default", "https://orders.example", "read write"],
  ];
  for (const [asked, aud, scp] of all) {
    it(`entra.default: takes ${asked} for a user, and for the client itself`, async () => {
      const own = { ...webClient, grantTypes: [...grantTypes, "client_credentials"] };
      const scopes = ["openid", "https://graph.microsoft.com/User.Read", ...orders];
      await using lab = await open({ clients: [own], scopes });
      const { tokens } = await lab.logIn({ scope: `openid ${asked}` });
      const { body } = await lab.token({ grant_type: "client_credentials", scope: asked });
      for (const token of [tokens.access_token, body.access_token]) {
        const claims = decodeJwt(token);
        assertEquals([claims.aud, claims.scp], [aud, scp]);
      }
    });
  }

  it("entra.default: refuses it for an API of which the client has no scope", async () => {
    await using lab = await open({
      clients: [{ ...webClient, grantTypes: ["client_credentials"] }],
    });
    const fields = { grant_type: "client_credentials", scope: "https://other.example/.default" };
    assertMatch((await lab.token(fields)).body.error_description, /^AADSTS70011: /);
  });

  it("entra.groups: has up to 200 groups in a token, and a place for more", async () => {
    const groupsOf = async (count: number) => {
      const groups = Array.from({ length: count }, (_, at) => `group-${at}`);
      await using lab = await open({ users: [{ name: "zoe", claims: { groups } }], signIn: "zoe" });
      const { tokens } = await lab.logIn({ scope });
      return [decodeJwt(tokens.id_token), decodeJwt(tokens.access_token)];
    };
    for (const claims of await groupsOf(200)) {
      assertEquals([(claims.groups as string[]).length, claims._claim_names], [200, undefined]);
    }
    for (const { oid, ...claims } of await groupsOf(201)) {
      assertEquals([claims.groups, claims._claim_names], [undefined, { groups: "src1" }]);
      const endpoint = `https://graph.windows.net/${tenant}/users/${oid}/getMemberObjects`;
      assertEquals(claims._claim_sources, { src1: { endpoint } });
    }
  });

  it.inLab("entra.lifetime: lasts for 3599 seconds, unless a test says otherwise", async (lab) => {
    assertEquals((await lab.logIn({ scope })).tokens.expires_in, 3599);
    await using other = await open({ lifetimes: { accessToken: "5m" } });
    assertEquals((await other.logIn({ scope })).tokens.expires_in, 300);
  });

  it.inLab("entra.offline_access: sends a refresh token with that scope alone", async (lab) => {
    const without = await lab.logIn({ scope });
    assertEquals(without.tokens.refresh_token, undefined);
    const { tokens } = await lab.logIn({ scope: `${scope} offline_access` });
    const { body: refreshed } = await lab.refresh(tokens.refresh_token);
    assertNotEquals(refreshed.refresh_token, tokens.refresh_token);
    assertEquals(decodeJwt(refreshed.access_token).azp, "web");
  });

  it.inLab("entra.response: redirects with the status 302, a session_state and no iss", async (lab) => {
    const response = await lab.ask({ scope });
    assertEquals(response.status, playedStatus);
    const parameters = callbackOf(response);
    assertEquals(Object.keys(parameters).sort(), ["code", "session_state", "state"]);
    assertMatch(parameters.session_state ?? "", guid);
  });

  it.inLab("entra.fragment: sends a code in the fragment to who asks for that", async (lab) => {
    const response = await lab.ask({ scope, response_mode: "fragment" });
    assertMatch(response.headers.get("Location") ?? "", /^https:\/\/app\.example\/callback#code=/);
    assertLeniency(lab, "clientDefaults.responseModes: fragment");
  });

  it("entra.pkce: requires PKCE of public clients alone", async () => {
    await using lab = await open({ clients: [webClient, { id: "spa", redirectUris: [callback] }] });
    assert((await lab.logIn({ scope })).tokens.id_token);
    const refused = await lab.callback({ scope, client_id: "spa" });
    assertEquals(refused.error, "invalid_request");
  });

  it.inLab("entra.me: is Graph, for a token with User.Read", async (lab) => {
    const { tokens } = await lab.logIn({ scope: `${scope} User.Read` });
    const me = await lab.json("/v1.0/me", tokens.access_token);
    assertEquals([me.displayName, me.mail], ["Alice Adler", "alice@example.com"]);
    assertEquals(me.id, decodeJwt(tokens.id_token).oid);
    const none = await lab.json("/v1.0/me");
    assertEquals(none.error.code, "InvalidAuthenticationToken");
  });

  for (const asked of ["user.read", "https://graph.microsoft.com/user.read"]) {
    it.inLab(`entra.case entra.me: Z5: takes ${asked} for User.Read, and /v1.0/me with a slash`, async (lab) => {
      const { tokens } = await lab.logIn({ scope: `openid ${asked}` });
      assertMatch(tokens.scope, /User\.Read$/);
      const me = await lab.json("/v1.0/me/", tokens.access_token);
      assertEquals(me.displayName, "Alice Adler");
      assertClean(lab, { refused: true });
    });
  }

  it.inLab("entra.device entra.device_code: Z5: has a message for a device, and the grant device_code", async (lab) => {
    const { body } = await lab.form(`/${tenant}/oauth2/v2.0/devicecode`, { scope });
    const { device_code, user_code, verification_uri, message, ...others } = body;
    assertEquals(Object.keys(others), ["expires_in", "interval"]);
    assertMatch(message, new RegExp(`${verification_uri} and enter the code ${user_code} to`));
    await lab.fetch(`${verification_uri}?user_code=${user_code}`);
    const tokens = await lab.token({ grant_type: "device_code", device_code });
    assertMatch(tokens.body.scope, /openid/);
    assertClean(lab, { refused: true });
  });

  it.inLab("entra.photo: has no photo of anyone, as libraries ask for it", async (lab) => {
    for (const name of ["$value", "%24value"]) {
      const response = await lab.fetch(`https://hallpass.test/v1.0/me/photos/48x48/${name}`);
      const { error } = await response.json();
      assertEquals([response.status, error.code], [404, "ImageNotFound"]);
    }
    assertClean(lab, { refused: true });
  });

  const refusals: Array<[fact: string, fields: Record<string, string>, code: number]> = [
    ["entra.errors", { grant_type: "password" }, 70003],
    ["entra.error_codes", { client_secret: "wrong" }, 7000215],
    ["entra.error_codes", { code: "unknown" }, 70008],
    ["entra.error_codes", { code_verifier: `${verifier.slice(0, -1)}x` }, 501481],
  ];
  for (const [fact, fields, code] of refusals) {
    it.inLab(`${fact}: says AADSTS${code} for a wrong ${Object.keys(fields)[0]}`, async (lab) => {
      const pkce = { code_challenge: challenge, code_challenge_method: "S256" };
      const { code: issued } = await lab.callback({ scope, ...pkce });
      const { body } = await lab.redeem(issued, { code_verifier: verifier, ...fields });
      assertEquals(body.error_codes, [code]);
      assert(body.error_description.startsWith(`AADSTS${code}: `));
      assertMatch(body.trace_id, guid);
      assertMatch(body.timestamp, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/);
      assert(body.error_description.includes(body.correlation_id));
    });
  }

  it.inLab("entra.errors: says AADSTS54005 for a code that was redeemed", async (lab) => {
    const { callback: { code } } = await lab.logIn({ scope });
    assertEquals((await lab.redeem(code)).body.error_codes, [54005]);
  });
});

describe("A tenant that plays Entra", () => {
  it("has all paths of Entra below its own", async () => {
    const { hallpass } = await import("../../../../src/lab/testing/mod.ts");
    await using lab = await hallpass();
    const clients = [webClient];
    const entra = await lab.tenant({ id: "ms", provider: "entra", clients, signIn: "alice" });
    assertEquals(entra.issuer, `${lab.issuer}/t/ms/${tenant}/v2.0`);
    const { tokens } = await appAt(lab, "t/ms/common").logIn({ scope });
    assertEquals(decodeJwt(tokens.id_token).iss, entra.issuer);
    assertLeniency(entra, "clientDefaults.responseModes: fragment");
  });

  it("may have an issuer on the host of Microsoft", async () => {
    const { hallpass } = await import("../../../../src/lab/testing/mod.ts");
    await using lab = await hallpass();
    const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`;
    await lab.tenant({ issuer, provider: "entra", clients: [webClient], signIn: "alice" });
    const metadata = await lab.fetch(
      "https://login.microsoftonline.com/common/v2.0/.well-known/openid-configuration",
    );
    assertEquals(
      (await metadata.json()).issuer,
      "https://login.microsoftonline.com/{tenantid}/v2.0",
    );
  });
});
