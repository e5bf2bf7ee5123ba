import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { authorizationUrl } from "../../support/login.ts";
import { openLibrary } from "./library_login.ts";

const flowPage = /^https:\/\/hallpass\.test\/lab\/flows\/at-\d+$/;

/** Sends a client credentials request. */
async function requestToken(lab: TestLab, auth: oauth.ClientAuth, scope = "read") {
  return await (await openLibrary(lab, { client: "demo-service", auth })).clientCredentials({
    scope,
  });
}

/** Returns the error of the library, which has a class. */
async function failureOf<T extends Error>(
  action: () => Promise<unknown>,
  kind: new (...given: never[]) => T,
): Promise<T> {
  const error = await action().catch((cause: unknown) => cause);
  assert(error instanceof kind);
  return error;
}

describe("Errors of a lab in the eyes of oauth4webapi", () => {
  it("have the error_uri in the body of a token response", async () => {
    await using lab = await hallpass();
    const auth = oauth.ClientSecretPost("demo-service-secret");
    const error = await failureOf(
      () => requestToken(lab, auth, "everything"),
      oauth.ResponseBodyError,
    );
    assertMatch(String(error.cause.error_uri), flowPage);
  });

  it("have the explanation in the challenge of a 401, of which it reads nothing else", async () => {
    await using lab = await hallpass();
    const error = await failureOf(
      () => requestToken(lab, oauth.ClientSecretBasic("wrong")),
      oauth.WWWAuthenticateChallengeError,
    );
    const [challenge] = error.cause;
    assertEquals([challenge?.scheme, challenge?.parameters.error], ["basic", "invalid_client"]);
    assertMatch(
      String(challenge?.parameters.error_description),
      /wrong secret of 5 characters[^]*Send the secret of/,
    );
    assertMatch(String(challenge?.parameters.error_uri), flowPage);
  });

  it("have the error_uri in an authorization response", async () => {
    await using lab = await hallpass();
    const { validate } = await openLibrary(lab);
    const url = authorizationUrl(lab, { scope: "everything" });
    const { callback } = await lab.authorize(url, { user: "alice" });
    const error = await failureOf(
      async () => validate(callback, "a-state"),
      oauth.AuthorizationResponseError,
    );
    assertMatch(String(error.cause.get("error_uri")), flowPage);
  });
});
