import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createRemoteJWKSet, customFetch, decodeJwt, jwtVerify } from "jose";
import { describe } from "node:test";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { basic } from "../../../support/flow_kit.ts";
import { itWith } from "../../../support/it_with.ts";
import { login } from "../../../support/login.ts";
import { assertReport } from "../../../support/reported.ts";
import { type Fields, type ReadResponse, testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";
import type { ResponseBody } from "../../../support/wire.ts";

const it = itWith({ inLab: () => hallpass(), withFaults: needs("faults") });

const webClient = {
  id: "web",
  redirectUris: ["https://app.example/cb"],
  accessTokenFormat: "opaque" as const,
};

/** Signs alice in as a client, and requests tokens. */
async function signIn(
  lab: TestLab,
  client_id = "demo-spa",
  changes: Fields = {},
): Promise<ReadResponse> {
  const redirect_uri = lab.clients.get(client_id).redirectUris?.[0] ?? "";
  const client = testClient({ client_id, redirect_uri, scope: "openid profile" });
  return await client.redeem(lab, await client.code(lab, changes));
}

async function tokensOf(response: Promise<ReadResponse>): Promise<ResponseBody> {
  return (await response).body;
}

async function userinfo(lab: TestLab, token: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${token}` };
  return await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers });
}

/** Verifies a token with the keys that the lab publishes. */
async function verify(lab: TestLab, token: string): Promise<Record<string, unknown>> {
  const keys = createRemoteJWKSet(new URL(`${lab.issuer}/oauth2/jwks`), {
    [customFetch]: lab.fetch as typeof fetch,
  });
  return (await jwtVerify(token, keys)).payload;
}

describe("Hooks of a lab", () => {
  it.inLab("change an access token, which is signed again with the server's key", async (lab) => {
    lab.on("token", ({ claims }) => void (claims.roles = ["admin"]));
    const { access_token } = await tokensOf(signIn(lab));
    assertEquals((await verify(lab, access_token)).roles, ["admin"]);
    assertEquals((await userinfo(lab, access_token)).status, 200);
  });

  it.inLab("change the header of a token as well", async (lab) => {
    lab.on("token", ({ header, claims }) => ({ header: { ...header, typ: "JWT" }, claims }));
    const { access_token } = await tokensOf(signIn(lab));
    assertMatch(atob(access_token.split(".")[0] ?? ""), /"typ":"JWT"/);
  });

  it("change an opaque access token", needs("introspection"), async () => {
    const api = { id: "api", secret: "s", introspect: "any" as const };
    await using lab = await hallpass({ clients: [webClient, api] });
    lab.on("token", ({ claims }) => void (claims.sub = "someone"));
    const { access_token } = await tokensOf(signIn(lab, "web"));
    const { body } = await testClient().introspect(lab, access_token, {}, basic("api", "s"));
    assertEquals(body.sub, "someone");
  });

  it.inLab("change an ID token; its at_hash fits a changed access token", async (lab) => {
    lab.on("token", ({ claims }) => void (claims.roles = []));
    lab.on("id_token", async ({ claims }) => void (claims.groups = await Promise.resolve(["a"])));
    const { claims } = await login(lab, { user: "alice" });
    assertEquals(claims.groups, ["a"]);
    const { access_token, id_token } = await tokensOf(signIn(lab));
    const hash = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode(access_token)),
    );
    const expected = btoa(String.fromCharCode(...hash.slice(0, 16)))
      .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    assertEquals((await verify(lab, id_token)).at_hash, expected);
  });

  it("change an ID token that the client's secret signs", async () => {
    const secret = "a-secret-of-more-than-32-characters";
    const client = { ...webClient, id: "hmac", secret, idTokenAlg: "HS256" as const };
    await using lab = await hallpass({ clients: [client] });
    lab.on("id_token", ({ claims }) => void (claims.aud = ["hmac", "other"]));
    const [redirect_uri = ""] = webClient.redirectUris;
    const own = { client_id: "hmac", client_secret: secret, redirect_uri, scope: "openid" };
    const { id_token } = await testClient(own).tokens(lab);
    const { payload } = await jwtVerify(id_token, new TextEncoder().encode(secret));
    assertEquals(payload.aud, ["hmac", "other"]);
  });

  it.inLab("reject an algorithm that the lab has no key for", async (lab) => {
    lab.on("token", ({ header }) => void Object.assign(header, { alg: "HS512", kid: "none" }));
    await assertRejects(() => signIn(lab), LabError, "no key that signs with 'HS512'");
  });

  it("change userinfo, in JSON and as a JWT", async () => {
    const signed = { ...webClient, id: "signed", userinfoAlg: "RS256" as const };
    await using lab = await hallpass({ clients: [webClient, signed] });
    lab.on("userinfo", ({ claims }) => ({ claims: { ...claims, department: "R&D" } }));
    const plain = await tokensOf(signIn(lab, "web"));
    assertEquals((await (await userinfo(lab, plain.access_token)).json()).department, "R&D");
    const other = await tokensOf(signIn(lab, "signed"));
    const jwt = await (await userinfo(lab, other.access_token)).text();
    assertEquals((await verify(lab, jwt)).department, "R&D");
  });

  for (const response_mode of ["query", "form_post"]) {
    it.inLab(`change an authorization response by ${response_mode}`, async (lab) => {
      lab.on("redirect", ({ parameters }) => void (parameters.extra = "a b&c"));
      const { parameters } = await testClient().authorize(lab, { response_mode });
      assertEquals(parameters.extra, "a b&c");
      assert(parameters.code);
    });
  }

  it.inLab("change a whole response, and see the request", async (lab) => {
    const seen: string[] = [];
    lab.on("response", (response, { method, path, client, parameters }) => {
      if (path !== "/oauth2/token") return;
      seen.push(`${method} ${client} ${parameters.grant_type}`);
      response.headers["X-Test"] = "yes";
      response.status = 201;
    });
    const response = await signIn(lab);
    assertEquals([response.status, response.headers.get("X-Test")], [201, "yes"]);
    assertEquals(seen, ["POST demo-spa authorization_code"]);
  });

  it("change whole responses of one endpoint, errors too, as often as `times` says", async () => {
    await using lab = await hallpass();
    lab.on("response", (response) => {
      response.status = 200;
      response.body = JSON.stringify({ sub: "oauth2" });
    }, { at: "userinfo", times: 1 });
    const { access_token } = await tokensOf(signIn(lab, "demo-spa", { scope: "read" }));
    const changed = await userinfo(lab, access_token);
    assertEquals([changed.status, await changed.json()], [200, { sub: "oauth2" }]);
    assertEquals((await userinfo(lab, access_token)).status, 403);
  });

  it.inLab("run one after another, each on what the one before left", async (lab) => {
    lab.on("token", ({ claims }) => void (claims.steps = ["one"]));
    lab.on("token", ({ claims }) => void (claims.steps = [claims.steps, "two"].flat()));
    const { access_token } = await tokensOf(signIn(lab));
    assertEquals(decodeJwt(access_token).steps, ["one", "two"]);
  });

  it.inLab("come before faults, which spoil what the hooks made", needs("faults"), async (lab) => {
    lab.on("id_token", ({ claims }) => void (claims.tier = "gold"));
    lab.fault("id_token.wrong_aud");
    const { id_token } = await tokensOf(signIn(lab));
    const { tier, aud } = decodeJwt(id_token);
    assertEquals([tier, aud], ["gold", "demo-spa-someone-else"]);
  });

  it.inLab("are bound to a client, a state, a tenant and a number of times", async (lab) => {
    const tenant = await lab.tenant({ id: "one" });
    lab.on("token", ({ claims }) => void (claims.a = 1), { client: "demo-web" });
    lab.on("token", ({ claims }) => void (claims.b = 1), { state: "another" });
    lab.on("token", ({ claims }) => void (claims.c = 1), { tenant: "one" });
    lab.on("token", ({ claims }) => void (claims.d = 1), { times: 1 });
    const marks = async (each: TestLab, changes = {}) => {
      const { a, b, c, d } = decodeJwt(
        (await tokensOf(signIn(each, "demo-spa", changes))).access_token,
      );
      return [a, b, c, d].map((mark) => mark === 1);
    };
    assertEquals(await marks(lab), [false, false, false, true]);
    assertEquals(await marks(lab, { state: "another" }), [false, true, false, false]);
    assertEquals(await marks(tenant), [false, false, true, false]);
  });

  it.inLab("can be removed, and are gone after a reset", async (lab) => {
    const hook = lab.on("token", ({ claims }) => void (claims.a = 1));
    hook.remove();
    lab.on("token", ({ claims }) => void (claims.b = 1));
    await lab.reset();
    const { a, b } = decodeJwt((await tokensOf(signIn(lab))).access_token);
    assertEquals([a, b], [undefined, undefined]);
  });

  it("that throw fail the test that set them, with their error, and no other", async () => {
    await using lab = await hallpass();
    const error = new Error("expected a role");
    lab.on("token", () => {
      throw error;
    }, { state: "mine" });
    const [mine, other] = await Promise.allSettled([
      signIn(lab, "demo-spa", { state: "mine" }),
      signIn(lab, "demo-spa", { state: "other" }),
    ]);
    assertEquals([mine.status, other.status], ["rejected", "fulfilled"]);
    assertEquals(mine.status === "rejected" && mine.reason, error);
    const recorded = lab.requests({ path: "/oauth2/token", status: 500 });
    assertEquals(recorded.length, 1);
    assertMatch(recorded[0]?.response?.body ?? "", /A hook of the test failed: expected a role/);
  });

  it.inLab("that return half a draft are refused", async (lab) => {
    lab.on("token", () => ({ roles: [] }) as never);
    await assertRejects(() => signIn(lab), LabError, "return all of it: { header, claims }");
  });

  it.inLab("throw for an unknown point, scope or change", async (lab) => {
    const noChange = () => {};
    assertThrows(
      () => lab.on("tokens" as never, noChange),
      LabError,
      "There is no hook 'tokens'. Choose one of: token, id_token, userinfo, redirect, response",
    );
    assertThrows(() => lab.on("token", noChange, { clint: "x" } as never), LabError, "clint");
    assertThrows(() => lab.on("token", "x" as never), LabError, "function");
    assertThrows(() => lab.on("token", noChange, { at: "token" }), LabError, "Only a hook for");
    const wrongPlace = { at: "tokens" } as never;
    assertThrows(() => lab.on("response", noChange, wrongPlace), LabError, "'tokens'. Choose one");
    assertThrows(() => lab.on("token", noChange, { tenant: "x" }), LabError, "no tenant 'x'");
  });

  it.withFaults("that were never used are reported, in the report and when the lab closes", async () => {
    const lab = await hallpass();
    lab.on("redirect", () => {});
    lab.next("userinfo", { status: 503 });
    assertReport(lab, { idleFaults: ["userinfo.response", "hook.redirect"] });
    const { warn } = console;
    const warnings: string[] = [];
    console.warn = (text: string) => void warnings.push(text);
    try {
      await lab.close();
    } finally {
      console.warn = warn;
    }
    assertMatch(warnings.join(), /never fired: userinfo\.response, hook\.redirect/);
  });
});
