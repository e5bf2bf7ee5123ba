import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import type { Grade } from "../../src/lab/report/grades.ts";
import { hallpass, LabError, type TestLab } from "../../src/lab/testing/mod.ts";
import { verifier } from "../support/kit.ts";
import { authorizationUrl, login } from "../support/login.ts";

type Fields = Record<string, string>;

const service = { client_id: "demo-service", client_secret: "demo-service-secret" };

function token(lab: TestLab, fields: Fields): Promise<Response> {
  const body = new URLSearchParams(fields);
  return lab.fetch(`${lab.issuer}/oauth2/token`, { method: "POST", body });
}

function authorize(lab: TestLab, changes: Fields): Promise<Response> {
  return lab.fetch(authorizationUrl(lab, changes));
}

function userinfo(lab: TestLab, accessToken: unknown): Promise<Response> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers });
}

interface Mistake {
  act: (lab: TestLab) => Promise<unknown>;
  client: string;
  error: string;
  parameter: string | undefined;
  /** How the advice begins. */
  fix: string;
}

/** What a beginner does, one mistake after the other. */
const mistakes: Record<string, Mistake> = {
  "the password grant": {
    act: (lab) =>
      token(lab, { ...service, grant_type: "password", username: "alice", password: "alice" }),
    client: "demo-service",
    error: "unsupported_grant_type",
    parameter: "grant_type",
    fix: "For users, use the authorization code grant with PKCE.",
  },
  "no PKCE": {
    act: (lab) => authorize(lab, { code_challenge: "", code_challenge_method: "" }),
    client: "demo-spa",
    error: "invalid_request",
    parameter: "code_challenge",
    fix: "Create a code_verifier",
  },
  "a wrong redirect URI": {
    act: (lab) => authorize(lab, { redirect_uri: "https://app.example/wrong" }),
    client: "demo-spa",
    error: "invalid_request",
    parameter: "redirect_uri",
    fix: "Send a redirect_uri of the client",
  },
  "a wrong secret": {
    act: (lab) =>
      token(lab, { ...service, client_secret: "wrong", grant_type: "client_credentials" }),
    client: "demo-service",
    error: "invalid_client",
    parameter: "client_secret",
    fix: "Send the secret of this client, unchanged.",
  },
  "an unknown client": {
    act: (lab) => authorize(lab, { client_id: "nobody" }),
    client: "nobody",
    error: "invalid_request",
    parameter: "client_id",
    fix: "Send the client_id of a configured client",
  },
  "an unknown code": {
    act: (lab) =>
      token(lab, { grant_type: "authorization_code", client_id: "demo-spa", code: "x" }),
    client: "demo-spa",
    error: "invalid_grant",
    parameter: "code",
    fix: "Send the code unchanged",
  },
  "a scope that does not exist": {
    act: (lab) => authorize(lab, { scope: "openid everything" }),
    client: "demo-spa",
    error: "invalid_scope",
    parameter: "scope",
    fix: "Request only scopes",
  },
};

describe("Refused requests in the report", () => {
  for (const [what, { act, client, error, parameter, fix }] of Object.entries(mistakes)) {
    it(`include ${what}, with the parameter and what to do about it`, async () => {
      await using lab = await hallpass();
      await act(lab);
      const [refused] = lab.report().refused;
      assert(refused, "nothing was refused");
      assertEquals(
        [refused.client, refused.error, refused.parameter, refused.exchange],
        [client, error, parameter, 1],
      );
      assertStringIncludes(refused.fix ?? "", fix);
    });
  }

  it("break no rule: the report stays clean, unless refused requests count", async () => {
    await using lab = await hallpass();
    await mistakes["no PKCE"]?.act(lab);
    assertEquals(lab.report().clean, true);
    lab.assertClean();
    const problem = assertThrows(() => lab.assertClean({ refused: true }), LabError);
    assertStringIncludes(problem.message, "refused GET /oauth2/authorize (client demo-spa)");
    assertStringIncludes(problem.message, "must have a code_challenge");
  });

  it("name the client whose ID token came in place of the access token", async () => {
    await using lab = await hallpass();
    const { tokens } = await login(lab);
    await userinfo(lab, tokens.id_token);
    const { refused: [refused], clients: [client], findings } = lab.report();
    assertEquals(
      [refused?.client, refused?.flow, refused?.fix],
      ["demo-spa", "flow-1", "Send the access_token, not the id_token."],
    );
    assertEquals([client?.grade, findings.filter(({ kind }) => kind === "violation")], ["C", []]);
    await userinfo(lab, tokens.access_token);
    const { refused: [mended], clients: [now] } = lab.report();
    assertEquals([mended?.resolved, now?.refused], [true, 0]);
  });

  it("are none for a careful client", async () => {
    await using lab = await hallpass();
    await login(lab);
    lab.assertClean({ refused: true });
  });

  it("stand apart if a fault in their flow caused them", async () => {
    await using lab = await hallpass();
    lab.fault("callback.foreign_code");
    const { code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
    await token(lab, { grant_type: "authorization_code", client_id: "demo-spa", code: code! });
    const { refused, refusedByFault } = lab.report();
    assertEquals(refused, []);
    assertEquals(refusedByFault.map(({ error, faults, flow }) => [error, faults, flow]), [
      ["invalid_grant", ["callback.foreign_code"], "flow-1"],
    ]);
    lab.assertClean({ refused: true });
  });

  it("stand apart if an access token is missing because of a fault", async () => {
    await using lab = await hallpass();
    lab.fault("token.without_access_token");
    const { code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
    await token(lab, {
      grant_type: "authorization_code",
      client_id: "demo-spa",
      code: code!,
      redirect_uri: `${lab.issuer}/authorized`,
      code_verifier: verifier,
    });
    await userinfo(lab, undefined);
    const { refused, refusedByFault } = lab.report();
    assertEquals(refused, []);
    assertEquals(refusedByFault.map(({ flow, faults }) => [flow, faults]), [
      ["flow-1", ["token.without_access_token"]],
    ]);
  });

  /** What happens to clients without any mistake. */
  const ordinary: Record<string, (lab: TestLab) => Promise<unknown>> = {
    "prompt=none without a session": (lab) => authorize(lab, { prompt: "none" }),
    "a user who denies": (lab) =>
      lab.authorize(authorizationUrl(lab), { user: "alice", decision: "deny" }),
    "a search for metadata": (lab) => lab.fetch(`${lab.issuer}/.well-known/odd`),
    async "a device that polls"(lab) {
      const body = new URLSearchParams({ client_id: "demo-cli" });
      const url = `${lab.issuer}/oauth2/device_authorization`;
      const { device_code } = await (await lab.fetch(url, { method: "POST", body })).json();
      const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
      const response = await token(lab, { grant_type, client_id: "demo-cli", device_code });
      assertEquals((await response.json()).error, "authorization_pending");
    },
    "an outdated page": (lab) => lab.fetch(`${lab.issuer}/oauth2/interaction/unknown`),
  };
  for (const [what, act] of Object.entries(ordinary)) {
    it(`do not include ${what}`, async () => {
      await using lab = await hallpass();
      await act(lab);
      assertEquals(lab.report().refused, []);
    });
  }

  it("hold no secret", async () => {
    await using lab = await hallpass();
    await token(lab, { ...service, client_secret: "guess-of-a-secret", grant_type: "x" });
    assert(!JSON.stringify(lab.report()).includes("guess-of-a-secret"));
  });
});

/** What a client does for each grade. */
const ways: Array<
  [grade: Grade | undefined, what: string, act: (lab: TestLab) => Promise<unknown>]
> = [
  ["A", "makes no mistake", (lab) => login(lab)],
  [
    "A",
    "was refused once, and works now",
    async (lab) => {
      await authorize(lab, { code_challenge: "" });
      await login(lab);
    },
  ],
  [undefined, "only asks for a code", (lab) => authorize(lab, {})],
  [undefined, "could do better, and got no token", (lab) => authorize(lab, { state: "" })],
  [
    "B",
    "could do better",
    async (lab) => {
      await authorize(lab, { state: "" });
      await login(lab);
    },
  ],
  ["C", "is refused", (lab) => authorize(lab, { code_challenge: "" })],
  [
    "C",
    "worked once, and is refused now",
    async (lab) => {
      await login(lab);
      await authorize(lab, { code_challenge: "" });
    },
  ],
  [
    "C",
    "signs in again and again, and its refresh always fails",
    async (lab) => {
      for (const state of ["one", "two", "three", "four"]) {
        const { tokens } = await login(lab, { scope: "openid offline_access", state });
        const refresh_token = `${tokens.refresh_token}-cut`;
        await token(lab, { grant_type: "refresh_token", client_id: "demo-spa", refresh_token });
      }
    },
  ],
  [
    "A",
    "failed to refresh once, and refreshes now",
    async (lab) => {
      const { tokens } = await login(lab, { scope: "openid offline_access" });
      const fields = { grant_type: "refresh_token", client_id: "demo-spa" };
      await token(lab, { ...fields, refresh_token: "unknown" });
      await token(lab, { ...fields, refresh_token: tokens.refresh_token! });
    },
  ],
  ["D", "breaks a rule", (lab) => authorize(lab, { code_challenge_method: "plain" })],
  [
    "F",
    "breaks two rules",
    async (lab) => {
      await authorize(lab, { code_challenge_method: "plain" });
      await token(lab, {
        grant_type: "authorization_code",
        client_id: "demo-spa",
        code_verifier: "x",
      });
    },
  ],
];

describe("The grade of a client", () => {
  for (const [grade, what, act] of ways) {
    it(`is ${grade ?? "none"} if it ${what}`, async () => {
      await using lab = await hallpass();
      await act(lab);
      const [client] = lab.report().clients;
      assertEquals([client?.client, client?.grade], ["demo-spa", grade]);
    });
  }

  it("does not improve because another client passes the rule, in a request without a name", async () => {
    await using lab = await hallpass();
    const first = await login(lab);
    lab.clock.advance("1d");
    const headers = { Authorization: `Bearer ${first.tokens.access_token}` };
    await lab.fetch(`${lab.issuer}/oauth2/userinfo`, { headers });
    const url = authorizationUrl(lab, { client_id: "demo-web" });
    const { code } = await lab.authorize(url, { user: "alice" });
    const redeemed = await token(lab, {
      grant_type: "authorization_code",
      client_id: "demo-web",
      client_secret: "demo-web-secret",
      redirect_uri: `${lab.issuer}/authorized`,
      code: code!,
      code_verifier: verifier,
    });
    const { access_token } = await redeemed.json();
    await lab.fetch(`${lab.issuer}/oauth2/userinfo`, {
      headers: { Authorization: `Bearer ${access_token}` },
    });
    const grades = lab.report().clients.map(({ client, refused }) => [client, refused]);
    assertEquals(grades, [["demo-spa", 1], ["demo-web", 0]]);
  });

  it("exists for each client that a request named, and for no other", async () => {
    await using lab = await hallpass();
    assertEquals(lab.report().clients, []);
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertEquals(lab.report().clients, []);
    await authorize(lab, {});
    await authorize(lab, { client_id: "nobody", state: "other", code_challenge: "other" });
    assertEquals(lab.report().clients, [
      { client: "demo-spa", requests: 1, violations: 0, refused: 0, advice: 0 },
      { client: "nobody", grade: "C", requests: 1, violations: 0, refused: 1, advice: 0 },
    ]);
  });
});

describe("A finding", () => {
  it("has the client of its flow if its request names none", async () => {
    await using lab = await hallpass();
    const { tokens } = await login(lab, { callUserinfo: false });
    await lab.fetch(`${lab.issuer}/oauth2/userinfo?access_token=${tokens.access_token}`, {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    const found = lab.report().findings.find(({ id }) => id === "token-in-uri");
    assertEquals([found?.client, found?.parameter], ["demo-spa", "access_token"]);
  });
});
