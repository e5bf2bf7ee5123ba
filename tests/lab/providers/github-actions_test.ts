import { assertEquals, assertMatch } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { describe, it } from "node:test";
import { hallpass, type HallpassOptions, type TestLab } from "../../../src/lab/testing/mod.ts";
import {
  differingMembers,
  exactlyDifferingMembers,
  readPublishedMetadata,
} from "../../support/published_metadata.ts";

const open = (options: HallpassOptions = {}) =>
  hallpass({ provider: "github-actions", ...options });

/** Asks for a token as a job does. */
async function ask(
  lab: TestLab,
  { audience, path = "/idtoken", bearer = "token-of-the-runner", method = "GET" }: {
    audience?: string;
    path?: string;
    bearer?: string;
    method?: string;
  } = {},
): Promise<Response> {
  const url = new URL(lab.issuer + path);
  url.searchParams.set("api-version", "2.0");
  if (audience !== undefined) url.searchParams.set("audience", audience);
  return await lab.fetch(url.href, { method, headers: { Authorization: `Bearer ${bearer}` } });
}

async function claimsOf(response: Response) {
  return decodeJwt((await response.json()).value);
}

describe("A lab that plays GitHub Actions", () => {
  it("github-actions.metadata: publishes what GitHub published, and no other document", async () => {
    await using lab = await open();
    const url = `${lab.issuer}/.well-known/openid-configuration`;
    const played = await (await lab.fetch(url)).json();
    assertEquals(differingMembers(readPublishedMetadata("github-actions"), played), []);
    const other = await lab.fetch(`${lab.issuer}/.well-known/oauth-authorization-server`);
    assertEquals(other.status, 404);
  });

  it("github-actions.hosts: publishes exactly what GitHub published, with its host", async () => {
    await using lab = await open({ hosts: true });
    assertEquals(lab.issuer, "https://token.actions.githubusercontent.com");
    const url = `${lab.issuer}/.well-known/openid-configuration`;
    const played = await (await lab.fetch(url)).json();
    assertEquals(exactlyDifferingMembers(readPublishedMetadata("github-actions"), played), []);
  });

  it("github-actions.request: answers with a token in value that verifies", async () => {
    await using lab = await open();
    const response = await ask(lab, { audience: "sts.amazonaws.com" });
    const { value, ...others } = await response.json();
    assertEquals([response.status, others], [200, {}]);
    const keys = await (await lab.fetch(`${lab.issuer}/.well-known/jwks`)).json();
    const { payload, protectedHeader } = await jwtVerify(value, createLocalJWKSet(keys), {
      issuer: lab.issuer,
      audience: "sts.amazonaws.com",
      currentDate: new Date(lab.clock.now()),
    });
    assertEquals([protectedHeader.typ, protectedHeader.alg], ["JWT", "RS256"]);
    assertMatch(String(payload.jti), /^.{8,}$/);
    assertEquals((await ask(lab, { method: "POST" })).status, 405);
  });

  it("github-actions.audience: is the URL of the owner unless the job names one", async () => {
    await using lab = await open();
    assertEquals((await claimsOf(await ask(lab))).aud, "https://github.com/octo-org");
    assertEquals(
      (await claimsOf(await ask(lab, { audience: "" }))).aud,
      "https://github.com/octo-org",
    );
    assertEquals((await claimsOf(await ask(lab, { audience: "vault" }))).aud, "vault");
  });

  it("github-actions.x5t: has a thumbprint in the header, beside the id of the key", async () => {
    await using lab = await open();
    const { value } = await (await ask(lab)).json();
    const { x5t, kid, ...others } = decodeProtectedHeader(value);
    assertMatch(String(x5t), /^[A-Za-z0-9]{27}$/);
    assertEquals([typeof kid, others], ["string", { alg: "RS256", typ: "JWT" }]);
  });

  it("github-actions.subject github-actions.claims: name the repository, as the test says", async () => {
    await using lab = await open();
    const claims = await claimsOf(await ask(lab));
    assertEquals(claims.sub, "repo:octo-org/octo-repo:ref:refs/heads/main");
    assertEquals([claims.run_id, claims.ref_protected], ["1234567890", "false"]);
    await using other = await open({
      dialect: {
        workloadTokens: {
          subject: "repo:{claims.repository}:environment:{claims.environment}",
          claims: { repository: "acme/shop", repository_owner: "acme", environment: "live" },
        },
      },
    });
    const own = await claimsOf(await ask(other));
    assertEquals(own.sub, "repo:acme/shop:environment:live");
    assertEquals([own.aud, own.actor], ["https://github.com/acme", "octocat"]);
  });

  it("github-actions.runner: has the URL and the bearer that the test chooses", async () => {
    await using lab = await open({
      dialect: { workloadTokens: { path: "/jobs/7/idtoken", bearer: "of-job-7" } },
    });
    assertEquals((await ask(lab, { path: "/jobs/7/idtoken", bearer: "of-job-7" })).status, 200);
    assertEquals((await ask(lab, { path: "/jobs/7/idtoken" })).status, 401);
    assertEquals((await ask(lab, { bearer: "of-job-7" })).status, 404);
  });

  it("github-actions.lifetime: is five minutes, by the clock of the lab", async () => {
    await using lab = await open();
    lab.clock.freeze();
    const { iat = 0, exp = 0, nbf = 0 } = await claimsOf(await ask(lab));
    assertEquals([iat, exp - iat, nbf - iat], [Math.floor(lab.clock.now() / 1000), 300, -600]);
  });

  it("github-actions.lifetime: is exact, though the clock runs while a token is signed", async () => {
    await using lab = await open();
    const { now } = Date;
    let later = 0;
    Date.now = () => now() + (later += 1000);
    try {
      const { iat = 0, exp = 0 } = await claimsOf(await ask(lab));
      assertEquals(exp - iat, 300);
    } finally {
      Date.now = now;
    }
  });

  it("github-actions.unauthorized: refuses a request without the bearer", async () => {
    await using lab = await open();
    const response = await ask(lab, { bearer: "another" });
    assertEquals([response.status, await response.json()], [401, { message: "Unauthorized" }]);
    const none = await lab.fetch(`${lab.issuer}/idtoken`);
    assertEquals(none.status, 401);
  });
});
