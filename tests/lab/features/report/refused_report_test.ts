import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { describeSent } from "../../../../src/lab/features/report/reported_clients.ts";
import { isViolation } from "../../../../src/lab/findings/finding.ts";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import {
  verdictOn,
  verdictOnRun,
} from "../../../../src/program/features/report/run_report_command.ts";
import { deviceCodeGrantType } from "../../../../src/server/protocol/grant_types.ts";
import { itWith } from "../../../support/it_with.ts";
import { callLab } from "../../../support/lab_call.ts";
import { authorizationUrl, login } from "../../../support/login.ts";
import { present } from "../../../support/present.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabWithFaults: { ...needs("faults"), open: () => hallpass() },
});

const client = testClient();
const { token, userinfo } = client;

function authorize(lab: TestLab, changes: Record<string, string>): Promise<Response> {
  return lab.fetch(authorizationUrl(lab, changes));
}

describe("Refused requests in the report", () => {
  it.inLab("break no rule: the report stays clean, unless refused requests count", async (lab) => {
    await authorize(lab, { code_challenge: "", code_challenge_method: "" });
    assertEquals(lab.report().clean, true);
    lab.assertClean();
    const problem = assertThrows(() => lab.assertClean({ refused: true }), LabError);
    assertStringIncludes(problem.message, "refused challenge.present (client demo-spa): ");
    assertStringIncludes(problem.message, "must have a code_challenge");
  });

  it.inLab("U3: give the reason why userinfo refuses a token minted without a scope", async (lab) => {
    const { scope, access_token } = await lab.mint({ sub: "alice" });
    assertEquals([scope, (await userinfo(lab, access_token)).status], ["read", 403]);
    const { message } = assertThrows(() => lab.assertClean({ refused: true }), LabError);
    assertStringIncludes(message, "The access token must have the scope 'openid'");
    assertStringIncludes(message, "Received: read.\n  Ask for the token with the scope 'openid'.");
  });

  it.inLab("name the client whose ID token came in place of the access token", async (lab) => {
    const { tokens } = await login(lab);
    await userinfo(lab, tokens.id_token!);
    const { refused: [refused], clients: [client], findings } = lab.report();
    assertEquals(
      [refused?.where.client, refused?.where.flow, refused?.fix],
      ["demo-spa", "flow-1", "Send the access_token, not the id_token."],
    );
    assertEquals(describeSent(present(client)), "Is refused");
    assertEquals(findings.filter(isViolation), []);
    await userinfo(lab, tokens.access_token);
    const { refused: [mended], clients: [now] } = lab.report();
    assertEquals([mended?.resolved, now?.refused], [true, 0]);
  });

  it.inLab("f: do not count for a token that expired, if a newer one worked", async (lab) => {
    const scope = "openid offline_access";
    const { tokens: { access_token, refresh_token } } = await login(lab, { scope });
    lab.clock.advance("2h");
    assertEquals((await userinfo(lab, access_token)).status, 401);
    assertThrows(() => lab.assertClean({ refused: true }), LabError);
    assertEquals(verdictOn(lab.report(), { refused: true }), 8);
    const { body } = await client.refresh(lab, refresh_token!);
    assertEquals((await userinfo(lab, body.access_token)).status, 200);
    assertEquals(lab.report().refused.map(({ id, resolved }) => [id, resolved]), [
      ["token.active", true],
    ]);
    for (const _ of ["now", "after a reset"]) {
      lab.assertClean({ refused: true });
      assertEquals(verdictOnRun(lab, { refused: true }).verdict, 0);
      assertEquals(verdictOnRun(lab, {}).note, undefined);
      const junit = (await callLab(lab, "GET /report?format=junit&refused=true")).json;
      assertStringIncludes(junit, 'failures="0"');
      await lab.reset();
    }
  });

  it.inLab("are none for a careful client", async (lab) => {
    await login(lab);
    lab.assertClean({ refused: true });
  });

  it.inLab("stand apart if a fault in their flow caused them", needs("faults"), async (lab) => {
    lab.fault("callback.foreign_code");
    await client.tokens(lab);
    const { refused, refusedByFault } = lab.report();
    assertEquals(refused, []);
    assertEquals(refusedByFault.map(({ error, faults, where }) => [error, faults, where.flow]), [
      ["invalid_grant", ["callback.foreign_code"], "flow-1"],
    ]);
    lab.assertClean({ refused: true });
  });

  it.inLabWithFaults("stand apart if an access token is missing because of a fault", async (lab) => {
    lab.fault("token.without_access_token");
    await client.tokens(lab);
    await userinfo(lab, "undefined");
    const { refused, refusedByFault } = lab.report();
    assertEquals(refused, []);
    assertEquals(refusedByFault.map(({ where, faults }) => [where.flow, faults]), [
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
      const cli = testClient({ client_id: "demo-cli" });
      const { device_code } = (await cli.sendForm(lab, "/oauth2/device_authorization", {})).body;
      const { body } = await cli.token(lab, { grant_type: deviceCodeGrantType, device_code });
      assertEquals(body.error, "authorization_pending");
    },
    "an outdated page": (lab) => lab.fetch(`${lab.issuer}/oauth2/interaction/unknown`),
  };
  for (const [what, act] of Object.entries(ordinary)) {
    it.inLab(`do not include ${what}`, async (lab) => {
      await act(lab);
      assertEquals(lab.report().refused, []);
    });
  }

  it.inLab("hold no secret", async (lab) => {
    const guess = { client_id: "demo-service", client_secret: "guess-of-a-secret" };
    await token(lab, { ...guess, grant_type: "x" });
    assert(!JSON.stringify(lab.report()).includes("guess-of-a-secret"));
  });
});

const right = "Sent nothing wrong";
const early = "No complete login yet";

/** What a client does, and what the report says of that. */
const ways: Array<[sent: string, what: string, act: (lab: TestLab) => Promise<unknown>]> = [
  [right, "makes no mistake", (lab) => login(lab)],
  [
    right,
    "was refused once, and works now",
    async (lab) => {
      await authorize(lab, { code_challenge: "" });
      await login(lab);
    },
  ],
  [early, "only asks for a code", (lab) => authorize(lab, {})],
  [
    early,
    "could do better, and got no token",
    async (lab) => {
      await lab.authorize(authorizationUrl(lab), { user: "alice" });
      lab.clock.advance("6m");
    },
  ],
  [
    `${right}, with advice`,
    "could do better",
    async (lab) => {
      for (const _ of [1, 2, 3]) await login(lab);
    },
  ],
  ["Is refused", "is refused", (lab) => authorize(lab, { code_challenge: "" })],
  [
    "Is refused",
    "worked once, and is refused now",
    async (lab) => {
      await login(lab);
      await authorize(lab, { code_challenge: "" });
    },
  ],
  [
    "Is refused",
    "signs in again and again, and its refresh always fails",
    async (lab) => {
      for (const state of ["one", "two", "three", "four"]) {
        const { tokens } = await login(lab, { scope: "openid offline_access", state });
        await client.refresh(lab, `${tokens.refresh_token}-cut`);
      }
    },
  ],
  [
    right,
    "failed to refresh once, and refreshes now",
    async (lab) => {
      const { tokens } = await login(lab, { scope: "openid offline_access" });
      await client.refresh(lab, "unknown");
      await client.refresh(lab, tokens.refresh_token!);
    },
  ],
  ...([[right, 1], ["Is refused", 2]] as const).map(([sent, times]): (typeof ways)[number] => [
    sent,
    `sends a token that has ended: ${times}`,
    async (lab) => {
      const { tokens } = await login(lab);
      await userinfo(lab, tokens.access_token);
      lab.clock.advance("2h");
      for (let sent = 0; sent < times; sent += 1) await userinfo(lab, tokens.access_token);
    },
  ]),
  ["Needs work", "breaks a rule", (lab) => authorize(lab, { code_challenge_method: "plain" })],
  [
    "Needs work",
    "lets any web page complete its logins: nothing is new in them",
    async (lab) => {
      for (const scope of ["openid", "read"]) await authorize(lab, { state: "same", scope });
    },
  ],
  [
    "Needs work",
    "breaks two rules",
    async (lab) => {
      await authorize(lab, { code_challenge_method: "plain" });
      await token(lab, { grant_type: "authorization_code", code_verifier: "x" });
    },
  ],
];

describe("What the report says of a client", () => {
  for (const [sent, what, act] of ways) {
    it.inLab(`is "${sent}" if it ${what}: no drill has seen it, so it has no grade`, async (lab) => {
      await act(lab);
      const client = present(lab.report().clients[0]);
      assertEquals([client.client, describeSent(client)], ["demo-spa", sent]);
      assertEquals([client.examined, "grade" in client], [sent !== early, false]);
    });
  }

  it.inLab("does not improve because another client passes the rule, in a request without a name", async (lab) => {
    const first = await login(lab);
    lab.clock.advance("1d");
    for (const _ of [1, 2]) await userinfo(lab, first.tokens.access_token);
    const web = testClient({ client_id: "demo-web", client_secret: "demo-web-secret" });
    await userinfo(lab, (await web.tokens(lab, { state: "other" })).access_token);
    const grades = lab.report().clients.map(({ client, refused }) => [client, refused]);
    assertEquals(grades, [["demo-spa", 1], ["demo-web", 0]]);
  });

  it.inLab("exists for each client that a request named, and for no other", async (lab) => {
    assertEquals(lab.report().clients, []);
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertEquals(lab.report().clients, []);
    await authorize(lab, {});
    await authorize(lab, { client_id: "nobody", state: "other", code_challenge: "other" });
    assertEquals(lab.report().clients, [
      { client: "demo-spa", examined: false, requests: 1, violations: 0, refused: 0, advice: 0 },
      { client: "nobody", examined: true, requests: 1, violations: 0, refused: 1, advice: 0 },
    ]);
  });
});

describe("A finding", () => {
  it.inLab("has the client of its flow if its request names none", async (lab) => {
    const { tokens } = await login(lab, { callUserinfo: false });
    await lab.fetch(`${lab.issuer}/oauth2/userinfo?access_token=${tokens.access_token}`, {
      headers: { Authorization: `Bearer ${tokens.access_token}` },
    });
    const found = lab.report().findings.find(({ id }) => id === "token-in-uri");
    assertEquals([found?.where.client, found?.where.parameter], ["demo-spa", "access_token"]);
  });
});
