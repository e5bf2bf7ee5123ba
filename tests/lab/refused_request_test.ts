import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions, type TestLab } from "../../src/lab/testing/mod.ts";
import { authorizationUrl } from "../support/login.ts";
import { needs } from "../support/where_feature.ts";

/** The ways in which a lab responds to an authorization request. */
const powers: readonly HallpassOptions[] = [{}, { signIn: "alice" }, { signInByHint: true }];

describe("A recorded request that the server refused", () => {
  for (const power of powers) {
    it(`has the error, both values and the section in a lab with ${JSON.stringify(power)}`, async () => {
      await using lab = await hallpass(power);
      await sendWrongRedirectUri(lab);
      const refusal = lab.requests()[0]?.refusal;
      assertEquals(refusal?.error, "invalid_request");
      assertEquals(refusal?.rule, "redirect_uri.registered");
      assertEquals(refusal?.parameter, "redirect_uri");
      assertEquals(refusal?.see, "OAuth 2.1, section 4.1.1");
      assertEquals(refusal?.received, "http://localhost/wrong");
      assertMatch(refusal?.expected ?? "", /^https:\S+$/);
      assertMatch(refusal?.fix ?? "", /or add this one to the client/);
    });
  }

  it("has the server's error even if a fault changes the response", needs("faults"), async () => {
    await using lab = await hallpass();
    lab.fault("callback.wrong_state");
    await lab.fetch(authorizationUrl(lab, { prompt: "none" }));
    const [request] = lab.requests();
    const expected = ["login_required", ["callback.wrong_state"]];
    assertEquals([request?.refusal?.error, request?.faults], expected);
  });

  it("has no refusal after a response without an error", async () => {
    await using lab = await hallpass();
    await lab.fetch(`${lab.issuer}/oauth2/jwks`);
    assertEquals(lab.requests().map((request) => "refusal" in request), [false]);
  });
});

function sendWrongRedirectUri(lab: TestLab): Promise<Response> {
  const changes = { redirect_uri: "http://localhost/wrong", login_hint: "alice" };
  return lab.fetch(authorizationUrl(lab, changes));
}
