import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { itWith } from "../../../support/it_with.ts";
import { authorizationUrl, freshUrl, login } from "../../../support/login.ts";
import { present } from "../../../support/present.ts";
import { testClient } from "../../../support/test_client.ts";
import { featuresOf, hasFeature, needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass(),
  inLabWithFaults: { ...needs("faults"), open: () => hallpass() },
});

type Fields = Record<string, string>;

/** Returns the code of a flow with a state of its own. */
async function codeOf(lab: TestLab, changes: Fields = {}): Promise<string> {
  return present((await lab.authorize(freshUrl(lab, changes), { user: "alice" })).code);
}

const client = testClient();

async function redeem(lab: TestLab, code: string, changes: Fields = {}) {
  return (await client.redeem(lab, code, changes)).body;
}

function idsOf(lab: TestLab): string[] {
  return lab.report().findings.map(({ id }) => id);
}

/** What a client may do without a finding. */
const careful: Record<string, (lab: TestLab) => Promise<unknown>> = {
  async "has a code that it can still redeem"(lab) {
    await codeOf(lab);
    lab.clock.advance("4m");
  },
  async "has failed to redeem a code, and can still do it"(lab) {
    await redeem(lab, await codeOf(lab), { code_verifier: "w".repeat(43) });
    lab.clock.advance("4m");
  },
  async "redeemed its code at its second attempt"(lab) {
    const code = await codeOf(lab);
    await redeem(lab, code, { code_verifier: "w".repeat(43) });
    await redeem(lab, code);
    lab.clock.advance("10m");
  },
  async "redeemed its code after the report had begun anew"(lab) {
    const code = await codeOf(lab);
    await lab.fetch(`${lab.issuer}/lab/requests`, { method: "DELETE" });
    await redeem(lab, code);
    lab.clock.advance("10m");
  },
  async "stops at a callback that a fault changed"(lab) {
    lab.fault("callback.wrong_state");
    await codeOf(lab);
    lab.clock.advance("10m");
  },
  async "could not redeem its code because of a fault"(lab) {
    lab.fault("token.temporarily_unavailable");
    await redeem(lab, await codeOf(lab));
    lab.clock.advance("10m");
  },
  async "learns that its user denied"(lab) {
    await lab.authorize(authorizationUrl(lab), { user: "alice", decision: "deny" });
    lab.clock.advance("10m");
  },
  async "waits for its user"(lab) {
    await lab.fetch(authorizationUrl(lab), { redirect: "manual" });
    lab.clock.advance("10m");
  },
  async "refreshes with less scope, and with offline_access that was dropped"(lab) {
    const { tokens } = await login(lab, { scope: "openid read offline_access" });
    await client.refresh(lab, tokens.refresh_token!, { scope: "openid offline_access" });
  },
  async "writes the scheme of its token in lower case"(lab) {
    const { access_token } = await redeem(lab, await codeOf(lab));
    await client.userinfo(lab, access_token, "bearer");
  },
  async "Z2: sends another scheme than Bearer, after a token request that failed"(lab) {
    await client.token(lab, { grant_type: "authorization_code", code: "unknown" });
    for (const scheme of ["token", "Basic"]) await client.userinfo(lab, "a-token", scheme);
  },
  async "learns from a 401 that its token has expired"(lab) {
    const { access_token } = await redeem(lab, await codeOf(lab));
    lab.clock.advance("2h");
    await client.userinfo(lab, access_token);
  },
};

describe("The report has no finding for a client that", () => {
  for (const [what, act] of Object.entries(careful)) {
    it(what, needs(...featuresOf(act)), async () => {
      await using lab = await hallpass();
      await act(lab);
      assertEquals(idsOf(lab), []);
      if (hasFeature("faults")) lab.faults.clear();
    });
  }
});

describe("The report finds a client that stores what it asked for instead of what it got", () => {
  it.inLab("such as a scope that the response narrowed", needs("hooks"), async (lab) => {
    const code = await codeOf(lab, { scope: "openid read offline_access", prompt: "consent" });
    lab.on("response", ({ status, headers, body }) => ({
      status,
      headers,
      body: JSON.stringify({ ...JSON.parse(body), scope: "openid" }),
    }), { at: "token", times: 1 });
    const { refresh_token } = await redeem(lab, code);
    await client.refresh(lab, refresh_token, { scope: "openid read" });
    assertEquals(idsOf(lab), ["asked-scope-kept"]);
  });

  it.inLabWithFaults("such as the token type Bearer for a token of another type", async (lab) => {
    lab.fault("token.wrong_token_type");
    const { access_token } = await redeem(lab, await codeOf(lab));
    await client.userinfo(lab, access_token);
    const [finding] = lab.report().findings;
    assertEquals([finding?.id, finding?.where.parameter], ["token-type-ignored", "Authorization"]);
    assertStringIncludes(finding?.received ?? "", "bearer for a token of the type mac");
  });

  it.inLab("such as a refresh token that was replaced", async (lab) => {
    const { tokens } = await login(lab, { scope: "openid offline_access" });
    for (const _ of [1, 2]) await client.refresh(lab, tokens.refresh_token!);
    assertEquals(idsOf(lab), ["refresh-retried-after-rotation"]);
  });
});

describe("A finding about a flow", () => {
  it.inLab("is advice, and names the client and the requests", async (lab) => {
    const code = await codeOf(lab);
    await redeem(lab, code, { code_verifier: "w".repeat(43) });
    lab.clock.advance("5m");
    const { findings, clean, clients } = lab.report();
    const last = lab.requests().at(-1)?.id;
    assertEquals(findings.map(({ id, grade, where }) => [id, grade, where.client]), [
      ["code-not-redeemed", "B", "demo-spa"],
    ]);
    assert(findings[0]?.where.exchanges?.includes(last ?? 0));
    assertEquals([clean, clients[0]?.advice], [true, 1]);
    assertEquals([findings[0]?.where.request, findings[0]?.received], [
      "POST /oauth2/token",
      "1 failed attempt",
    ]);
  });

  it.inLab("is on the page of the report, in its JSON, and in JUnit and SARIF", async (lab) => {
    await codeOf(lab);
    lab.clock.advance("5m");
    for (const path of ["", "?format=junit", "?format=sarif"]) {
      const response = await lab.fetch(`${lab.issuer}/lab/report${path}`);
      assertStringIncludes(await response.text(), "flow-ends-at-callback");
    }
    const headers = { Accept: "text/html" };
    const page = await lab.fetch(`${lab.issuer}/lab/report`, { headers });
    assertStringIncludes(await page.text(), "sent no token request before the code expired");
  });
});
