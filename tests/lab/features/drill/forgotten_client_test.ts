import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { FindingGrade } from "../../../../src/lab/findings/grade.ts";
import { type FaultName, hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { registerAt } from "../../../support/registration.ts";
import { testClient } from "../../../support/test_client.ts";

const fault: FaultName = "register.forgotten";
const redirectUri = "https://app.example/callback";

/** What a client does that keeps its registration, once the server has forgotten it. */
interface Recovery {
  /** Whether it pushes its requests, and so hears that it is unknown. */
  pushes: boolean;
  /** How often it tries again with what it has stored. */
  retries: number;
  /** Whether it then registers again. */
  registersAgain: boolean;
}

/** Returns the login of a client that registers itself once, and keeps what it got. */
function storingClient(lab: TestLab, { pushes, retries, registersAgain }: Recovery) {
  let stored: string | undefined;

  async function register(): Promise<string> {
    const metadata = { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" };
    return (await registerAt(lab, metadata)).body.client_id;
  }

  async function push(client_id: string): Promise<string | undefined> {
    const client = clientOf(client_id);
    const { request_uri } = (await client.push(lab)).body;
    return request_uri && client.authorizationUrl(lab, { request_uri });
  }

  async function begin(): Promise<string> {
    stored ??= await register();
    if (!pushes) return clientOf(stored).authorizationUrl(lab);
    for (let attempt = 0; attempt <= retries; attempt++) {
      const url = await push(stored);
      if (url !== undefined) return url;
    }
    if (!registersAgain) throw new Error("The server does not know the client.");
    stored = await register();
    return await push(stored) ?? "";
  }

  return async () => {
    const url = await begin();
    const { code = "" } = await lab.authorize(url, { user: "alice" });
    assertEquals((await clientOf(stored ?? "").redeem(lab, code)).status, 200);
  };
}

function clientOf(client_id: string) {
  return testClient({ client_id, redirect_uri: redirectUri, scope: "openid" });
}

const careful = { pushes: true, retries: 0, registersAgain: true };

const clients: Array<[what: string, recovery: Recovery, outcome: string, grade?: FindingGrade]> = [
  ["registers again, once", careful, "tolerated"],
  ["goes on with what is gone", { ...careful, registersAgain: false }, "wrongly_refused", "B"],
  ["tries again for ever", { ...careful, retries: 30 }, "wrongly_refused", "B"],
  ["leaves its user at an error page", { ...careful, pushes: false }, "wrongly_refused", "B"],
];

describe("A client that registered itself, and that the server has forgotten", () => {
  for (const [what, recovery, outcome, grade] of clients) {
    it(`is found if it must be: one that ${what}`, async () => {
      await using lab = await hallpass();
      const { outcomes, findings, wronglyRefused } = await lab.drill(
        storingClient(lab, recovery),
        [fault],
      );
      assertEquals(outcomes.map((each) => each.outcome), [outcome]);
      assertEquals(findings.map((each) => each.grade), grade === undefined ? [] : [grade]);
      // No rule is about it, so it is no login that had to work.
      assertEquals(wronglyRefused, []);
      const endless = /The client, which is gone, sent \d+ requests: an endless loop/;
      if (recovery.retries > 0) assertMatch(findings[0]?.received ?? "", endless);
    });
  }

  it("is refused twenty times, and then the server gives in", async () => {
    await using lab = await hallpass();
    const login = storingClient(lab, { ...careful, retries: 40 });
    await login();
    using forgotten = lab.fault(fault);
    await login();
    assertEquals(forgotten.fired, 20);
  });

  it("is never a client of the configuration", async () => {
    await using lab = await hallpass({ clients: [{ id: "app", redirectUris: [redirectUri] }] });
    using forgotten = lab.fault(fault);
    const { code = "" } = await lab.authorize(clientOf("app").authorizationUrl(lab), {
      user: "alice",
    });
    assertEquals((await clientOf("app").redeem(lab, code)).status, 200);
    assertEquals(forgotten.fired, 0);
  });
});
