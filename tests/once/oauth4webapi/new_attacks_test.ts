import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { makeClientKey } from "../../support/client_key.ts";
import { login, openLibrary } from "./library_login.ts";

const redirectUri = "https://app.example/cb";
const fault = "metadata.foreign_token_endpoint";

describe("A client library under the attacks of security-topics-update", () => {
  /** Pushes an authorization request, and authenticates with the key of the client. */
  async function push(lab: TestLab, privateKey: CryptoKey, isCareless: boolean): Promise<void> {
    const auth = oauth.PrivateKeyJwt(privateKey, {
      [oauth.modifyAssertion]: (_header, payload) => {
        if (isCareless) payload.aud = server.token_endpoint;
      },
    });
    const app = await openLibrary(lab, { client: "app", auth, redirectUri });
    const { server } = app;
    await app.push(await app.parameters(oauth.generateRandomCodeVerifier(), { scope: "openid" }));
  }

  it("B28 names the issuer in its assertions, unless it is told to name the token endpoint", async () => {
    const { privateKey, publicJwk } = await makeClientKey("ES256");
    const app = {
      id: "app",
      jwks: { keys: [publicJwk] },
      redirectUris: [redirectUri],
      assertionAudience: "token-endpoint" as const,
    };
    await using lab = await hallpass({ clients: [app] });
    const careful = await lab.drill(() => push(lab, privateKey, false), [fault]);
    assertEquals(careful.refused, [fault]);
    const careless = await lab.drill(() => push(lab, privateKey, true), [fault]);
    assertEquals(careless.findings.map(({ id, grade }) => [id, grade]), [[fault, "B"]]);
  });

  it("B30 refuses a response that belongs to another session", async () => {
    await using lab = await hallpass();
    const { refused } = await lab.drill(() => login(lab), ["callback.fixated_session"]);
    assertEquals(refused, ["callback.fixated_session"]);
  });
});
