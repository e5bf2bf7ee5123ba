import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import * as oauth from "oauth4webapi";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { createBrowser } from "../../support/browser.ts";
import { authorizationUrl } from "../../support/login.ts";
import { openLibrary } from "./library_login.ts";

type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/**
 * The name by which an application's container knows the lab, and the one by which a browser on the
 * host does.
 */
const inside = "http://hallpass:9000";
const outside = "http://localhost:9000";

/** A network that reaches one address, and notes what it was asked for. */
function networkOf(lab: TestLab, origin: string): { asked: string[]; fetch: Fetch } {
  const asked: string[] = [];
  const fetch: Fetch = async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    if (url.origin !== origin) throw new TypeError(`from here, nobody knows ${url.origin}`);
    asked.push(url.pathname);
    return await lab.fetch(request);
  };
  return { asked, fetch };
}

/** A careful client: it discovers, sends the browser off, and redeems what comes back. */
async function logIn(
  issuer: string,
  client: { fetch: Fetch },
  browser: { fetch: Fetch },
  algorithm: "oidc" | "oauth2" = "oidc",
) {
  const library = await openLibrary({ issuer, fetch: client.fetch }, { algorithm });
  const begun = await library.begin({ scope: "openid read" });
  const redirectUri = `${new URL(begun.url).searchParams.get("redirect_uri")}`;
  const callback = await createBrowser(browser.fetch, (next) => next.startsWith(redirectUri))
    .authorize(begun.url);
  const ending = { checks: { requireIdToken: true }, verifySignature: true };
  const tokens = await library.finish(callback, begun, ending);
  return { as: library.server, callback, iss: oauth.getValidatedIdTokenClaims(tokens)?.iss };
}

describe("A browser outside and an application inside a network of containers", () => {
  it("O10 need no more than the front channel: each side meets the address that it can reach, and one issuer", async () => {
    await using lab = await hallpass({ issuer: inside, frontChannelUrl: outside });
    const [application, browser] = [networkOf(lab, inside), networkOf(lab, outside)];
    const { callback, iss } = await logIn(inside, application, browser);
    assertEquals([iss, new URL(callback).searchParams.get("iss")], [inside, inside]);
    assertEquals(application.asked, [
      "/.well-known/openid-configuration",
      "/oauth2/token",
      "/oauth2/jwks",
    ]);
    assert(browser.asked.length > 3);
    assert(
      browser.asked.every((path) =>
        path.startsWith("/oauth2/authorize") || path.startsWith("/oauth2/interaction/")
      ),
    );
  });

  it("work with an issuer that neither can reach, when the application is told where the metadata is", async () => {
    await using lab = await hallpass({
      issuer: "https://id.example",
      frontChannelUrl: outside,
      backChannelUrl: inside,
    });
    const network = networkOf(lab, inside);
    const byAddress: Fetch = (input, init) =>
      network.fetch(String(input).replace("https://id.example", inside), init);
    assertEquals(
      (await logIn("https://id.example", { fetch: byAddress }, networkOf(lab, outside))).iss,
      "https://id.example",
    );
  });

  it("end where a client takes another address for the issuer: it must refuse the metadata", async () => {
    await using lab = await hallpass({ issuer: inside, frontChannelUrl: outside });
    const network = networkOf(lab, outside);
    await assertRejects(
      () => logIn(outside, network, network),
      Error,
      '"issuer" property does not match',
    );
  });
});

describe("An issuer", () => {
  const issuers = [
    "https://hallpass.test/",
    "https://hallpass.test/tenant",
    "https://hallpass.test/realms/acme/v2.0",
    "https://hallpass.test/realms/acme/v2.0/",
  ];
  for (const issuer of issuers) {
    for (const algorithm of ["oidc", "oauth2"] as const) {
      it(`${issuer} is the same, to the letter, in metadata (${algorithm}), callback and ID token`, async () => {
        await using lab = await hallpass({ issuer });
        const network = networkOf(lab, "https://hallpass.test");
        const { as, callback, iss } = await logIn(issuer, network, network, algorithm);
        assertEquals(as.issuer, issuer);
        assertEquals(new URL(callback).searchParams.get("iss"), issuer);
        assertEquals(iss, issuer);
        assertMatch(as.token_endpoint!, /[^/]\/oauth2\/token$/);
      });
    }
  }

  it("with a path works by two addresses, in a browser without a screen as well", async () => {
    await using lab = await hallpass({
      issuer: `${inside}/realms/acme/`,
      frontChannelUrl: `${outside}/realms/acme/`,
    });
    const metadata = await lab.fetch(`${inside}/realms/acme/.well-known/openid-configuration`);
    assertEquals(
      (await metadata.json()).authorization_endpoint,
      `${outside}/realms/acme/oauth2/authorize`,
    );
    const url = authorizationUrl({ issuer: `${outside}/realms/acme` });
    const { code, parameters } = await lab.authorize(url, { user: "alice" });
    assertMatch(code!, /^[\w-]{43}$/);
    assertEquals(parameters.iss, `${inside}/realms/acme/`);
  });
});

describe("A tenant", () => {
  it("is found by both addresses of its lab", async () => {
    await using lab = await hallpass({ issuer: inside, frontChannelUrl: outside });
    const tenant = await lab.tenant({ id: "a" });
    const { fetch } = networkOf(lab, inside);
    const { issuer, authorization_endpoint, token_endpoint } =
      await (await fetch(`${inside}/t/a/.well-known/openid-configuration`)).json();
    assertEquals(issuer, tenant.issuer);
    assertEquals([authorization_endpoint, token_endpoint], [
      `${outside}/t/a/oauth2/authorize`,
      `${inside}/t/a/oauth2/token`,
    ]);
  });
});
