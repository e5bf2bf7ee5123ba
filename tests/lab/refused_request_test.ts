import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { parameterAtFault } from "../../src/lab/recording/parameter_at_fault.ts";
import { hallpass, type HallpassOptions, type TestLab } from "../../src/testing/mod.ts";
import { authorizationUrl } from "../support/login.ts";

const request = {
  method: "POST",
  url: "",
  path: "/oauth2/token",
  headers: {},
  body: "",
  query: new URLSearchParams(),
  form: new URLSearchParams("grant_type=authorization_code&client_secret=x"),
};

const descriptions: Array<[error: string, description: string, parameter: string | undefined]> = [
  ["invalid_request", "The parameter 'redirect_uri' is missing.", "redirect_uri"],
  ["invalid_request", "The parameter 'odd-name' was sent more than once.", "odd-name"],
  ["invalid_grant", "The code_verifier does not match the code_challenge.", "code_verifier"],
  ["invalid_request", "The response_type must be 'code'.", "response_type"],
  ["invalid_request", "The request has a client_secret but no client_id.", "client_secret"],
  ["invalid_grant", "The code is unknown, expired, revoked, or another client's.", "code"],
  ["invalid_grant", "The refresh token was used before.", "refresh_token"],
  ["invalid_scope", "The requested resource knows none of the requested scopes.", "scope"],
  ["invalid_client", "The client is unknown, or it did not authenticate.", "client_secret"],
  ["unauthorized_client", "This client may not use the grant 'password'.", "grant_type"],
  ["invalid_dpop_proof", "The proof has no 'jti'.", "DPoP"],
  ["invalid_token", "Send an access token.", "Authorization"],
  ["invalid_request", "The request names no plausible host or address.", undefined],
];

describe("The parameter at fault", () => {
  for (const [error, description, parameter] of descriptions) {
    it(`is ${parameter} for: ${description}`, () => {
      assertEquals(parameterAtFault({ error, description }, request), parameter);
    });
  }

  it("is the Authorization header if the credentials are there", () => {
    const withHeader = { ...request, headers: { authorization: "Basic eDp5" } };
    const error = { error: "invalid_client", description: "The client is unknown." };
    assertEquals(parameterAtFault(error, withHeader), "Authorization");
  });
});

/** The ways in which a lab responds to an authorization request. */
const powers: readonly HallpassOptions[] = [{}, { signIn: "alice" }, { signInByHint: true }];

describe("A recorded request that the server refused", () => {
  for (const power of powers) {
    it(`has the error, the hint and the section in a lab with ${JSON.stringify(power)}`, async () => {
      await using lab = await hallpass(power);
      await sendWrongRedirectUri(lab);
      const refusal = lab.requests()[0]?.refusal;
      assertEquals([refusal?.error, refusal?.parameter, refusal?.see], [
        "invalid_request",
        "redirect_uri",
        "OAuth 2.1, section 4.1.1",
      ]);
      assertMatch(refusal?.hint ?? "", /^Received: 'http:\/\/localhost\/wrong'\. Registered: /);
    });
  }

  it("has the server's error even if a fault changes the response", async () => {
    await using lab = await hallpass();
    lab.fault("callback.wrong_state");
    await lab.fetch(authorizationUrl(lab, { prompt: "none" }));
    const [request] = lab.requests();
    assertEquals([request?.refusal?.error, request?.faults], [
      "login_required",
      ["callback.wrong_state"],
    ]);
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
