import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { discover, options } from "./library_login.ts";

const client: oauth.Client = { client_id: "app" };
const redirectUri = "https://app.example/callback";
const settings = { clients: [{ id: "app", redirectUris: [redirectUri], partialConsent: true }] };

async function begin(lab: TestLab, changes: Record<string, string> = {}) {
  const server = await discover(lab);
  const verifier = oauth.generateRandomCodeVerifier();
  const url = new URL(server.authorization_endpoint ?? "");
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "read write",
    state: "s",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...changes,
  }).toString();
  return { server, verifier, url: url.href };
}

describe("A library whose user allows less", () => {
  it("learns the scope of its tokens", async () => {
    await using lab = await hallpass(settings);
    const { server, verifier, url } = await begin(lab);
    const { callback } = await lab.authorize(url, { user: "alice", grant: ["read"] });
    const parameters = oauth.validateAuthResponse(server, client, new URL(callback), "s");
    const none = oauth.None();
    const response = await oauth.authorizationCodeGrantRequest(
      ...[server, client, none, parameters, redirectUri, verifier, options(lab)] as const,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
    assertEquals(tokens.scope, "read");
    lab.assertClean();
  });

  it("gets a denial of a device: access_denied", async () => {
    const grantTypes = ["urn:ietf:params:oauth:grant-type:device_code"];
    await using lab = await hallpass({ clients: [{ id: "app", grantTypes }] });
    const server = await discover(lab);
    const none = oauth.None();
    const body = new URLSearchParams({ scope: "read" });
    const device = await oauth.processDeviceAuthorizationResponse(
      server,
      client,
      await oauth.deviceAuthorizationRequest(server, client, none, body, options(lab)),
    );
    const url = device.verification_uri_complete ?? "";
    await lab.authorize(url, { user: "alice", decision: "deny" });
    const code = device.device_code;
    const response = await oauth.deviceCodeGrantRequest(server, client, none, code, options(lab));
    const error = await assertRejects(
      () => oauth.processDeviceCodeResponse(server, client, response),
      oauth.ResponseBodyError,
    );
    assertEquals("error" in error && error.error, "access_denied");
  });
});

describe("A library that reads signed responses (JARM)", () => {
  const read = async (lab: TestLab) => {
    const { server, url } = await begin(lab, { response_mode: "jwt" });
    const { callback } = await lab.authorize(url, { user: "alice" });
    return await oauth.validateJwtAuthResponse(
      server,
      client,
      new URL(callback),
      "s",
      options(lab),
    );
  };

  it("accepts an honest one, and one that a hook has changed", async () => {
    await using lab = await hallpass(settings);
    lab.on("redirect", ({ parameters }) => void (parameters.note = "signed again"));
    assertEquals((await read(lab)).get("note"), "signed again");
  });

  for (
    const fault of [
      "callback.wrong_state",
      "callback.without_state",
      "callback.wrong_iss",
      "callback.without_iss",
      "callback.denied",
    ] as const
  ) {
    it(`rejects ${fault}`, async () => {
      await using lab = await hallpass(settings);
      using added = lab.fault(fault);
      await assertRejects(() => read(lab));
      assertEquals(added.fired, 1);
    });
  }
});
