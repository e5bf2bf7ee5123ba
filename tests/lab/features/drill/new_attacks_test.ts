import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, LabError, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { clientAssertionType } from "../../../../src/server/protocol/client_assertion.ts";
import { makeClientKey } from "../../../support/client_key.ts";
import { type Fields, testClient } from "../../../support/test_client.ts";

const redirectUris = ["https://app.example/cb/one", "https://app.example/cb/two"];
const [redirectUri = ""] = redirectUris;
const key = await makeClientKey("ES256");

const client = testClient({ client_id: "app", redirect_uri: redirectUri, scope: "openid" });

/** Returns the URL of a request with a state of its own. */
function authorizationUrl(lab: TestLab, changes: Fields = {}): string {
  return client.authorizationUrl(lab, { state: crypto.randomUUID(), ...changes });
}

async function redeem(lab: TestLab, code = ""): Promise<void> {
  assertEquals((await client.redeem(lab, code)).status, 200);
}

describe("Audience injection (security-topics-update, section 2.1)", () => {
  const fault = "metadata.foreign_token_endpoint";

  /** Pushes an authorization request with an assertion whose audience the metadata decides. */
  async function push(lab: TestLab, audience: "issuer" | "token_endpoint"): Promise<void> {
    const metadata = await client.metadata(lab);
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: "app", sub: "app", jti: crypto.randomUUID(), iat: now, exp: now + 60 };
    const { status } = await client.push(lab, {
      state: crypto.randomUUID(),
      client_assertion_type: clientAssertionType,
      client_assertion: await key.sign({ ...claims, aud: metadata[audience] }),
    });
    assertEquals(status, 201);
  }

  for (const assertionAudience of ["issuer", "token-endpoint"] as const) {
    it(`B28 is found in a client whose audience is the token endpoint: ${assertionAudience}`, async () => {
      const app = { id: "app", jwks: { keys: [key.publicJwk] }, redirectUris, assertionAudience };
      await using lab = await hallpass({ clients: [app] });
      const careful = await lab.drill(() => push(lab, "issuer"), [fault]);
      assertEquals([careful.accepted, careful.refused], [[], [fault]]);
      if (assertionAudience === "issuer") {
        await assertRejects(() => lab.drill(() => push(lab, "token_endpoint"), [fault]), LabError);
        return;
      }
      const { findings } = await lab.drill(() => push(lab, "token_endpoint"), [fault]);
      // A draft alone is about it.
      assertEquals(findings.map(({ id, grade }) => [id, grade]), [[fault, "B"]]);
    });
  }
});

describe("Cross-toolkit account takeover (security-topics-update, section 2.2)", () => {
  const fault = "callback.other_redirect_uri";
  const clients = [{ id: "app", redirectUris }];

  it("B29 is found in a client that accepts a response of another connection", async () => {
    await using lab = await hallpass({ clients });
    const login = async (isCareful: boolean) => {
      const { callback, code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
      if (isCareful) assert(callback.startsWith(redirectUri));
      await redeem(lab, code);
    };
    assertEquals((await lab.drill(() => login(true), [fault])).refused, [fault]);
    const { accepted } = await lab.drill(() => login(false), [fault]);
    assertEquals(accepted.map((each) => each.fault), [fault]);
  });

  const others: Record<string, string[]> = {
    "a client with one redirect URI": [],
    "a2: a client whose other redirect URI is that of the lab": [
      "http://localhost:9000/authorized",
    ],
  };
  for (const [what, uris] of Object.entries(others)) {
    it(`does not meet ${what}`, async () => {
      const app = { id: "app", redirectUris: [...uris, redirectUri] };
      await using lab = await hallpass({ issuer: "http://localhost:9000", clients: [app] });
      const login = async () => {
        const { code } = await lab.authorize(authorizationUrl(lab), { user: "alice" });
        await redeem(lab, code);
      };
      assertEquals((await lab.drill(login, [fault])).unmet, [fault]);
    });
  }
});

describe("Cross-user session fixation (security-topics-update, section 2.3)", () => {
  const fault = "callback.fixated_session";
  const clients = [{ id: "app", redirectUris }];

  it("B30 is found in a client that completes what another session began", async () => {
    await using lab = await hallpass({ clients });
    const begun = new Set<string>();
    const login = async (isCareful: boolean) => {
      const state = crypto.randomUUID();
      begun.add(state);
      const url = authorizationUrl(lab, { state });
      const { parameters } = await lab.authorize(url, { user: "alice" });
      const expected = isCareful ? new Set([state]) : begun;
      assert(expected.has(parameters.state ?? ""));
      await redeem(lab, parameters.code);
    };
    assertEquals((await lab.drill(() => login(true), [fault])).refused, [fault]);
    const { accepted } = await lab.drill(() => login(false), [fault]);
    assertEquals(accepted.map((each) => each.fault), [fault]);
  });

  it("begins again after a reset", async () => {
    await using lab = await hallpass({ clients, signIn: "alice" });
    const statusOf = async () =>
      (await lab.fetch(authorizationUrl(lab), { redirect: "manual" })).status;
    for (const _ of [1, 2]) {
      lab.fault(fault);
      assertEquals([await statusOf(), await statusOf()], [503, 303]);
      await lab.reset();
    }
  });
});
