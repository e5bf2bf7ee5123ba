import { assert, assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import type { ClientConfig } from "../../../src/server/features.ts";
import { type Page, unescape } from "../../support/browser.ts";
import { problemsOf } from "../../support/config_problems.ts";
import { claimsOf, type Kit, openKit } from "../../support/kit.ts";
import { signInAt, signOut } from "../../support/logout.ts";
import { present } from "../../support/present.ts";

function framed(id: string, path: string, changes: Partial<ClientConfig> = {}): ClientConfig {
  const frontchannelLogoutUri = `https://${id}.example${path}`;
  return { id, redirectUris: [`https://${id}.example/cb`], frontchannelLogoutUri, ...changes };
}

function openFramedKit(changes: Partial<ClientConfig> = {}): Kit {
  return openKit({
    clients: [framed("one", "/logout", changes), framed("two", "/out?x=1"), {
      id: "none",
      redirectUris: ["https://none.example/cb"],
    }],
  });
}

function framesOf(html: string): string[] {
  return [...html.matchAll(/<iframe src="([^"]*)"/g)].map(([, src]) => unescape(present(src)))
    .toSorted();
}

describe("Front-channel logout (OpenID Connect Front-Channel Logout)", () => {
  it("is checked where it is configured", () => {
    const client = framed("one", "/logout", { redirectUris: ["https://other.example/cb"] });
    assertEquals(problemsOf({ issuer: "https://id.example", clients: [client] }), [
      "clients[0].frontchannelLogoutUri does not have the origin of a redirect URI of the client",
    ]);
  });

  it("shows each client of the session in a frame, with iss and sid", async () => {
    const kit = openFramedKit();
    const { browser, idToken } = await signInAt(kit, "one");
    await signInAt(kit, "two", browser);
    await signInAt(kit, "none", browser);
    const page = await signOut(kit, browser);
    const query = `iss=https%3A%2F%2Fhallpass.test&sid=${claimsOf(idToken).sid}`;
    assertEquals(framesOf(page.html), [
      `https://one.example/logout?${query}`,
      `https://two.example/out?x=1&${query}`,
    ]);
    assertMatch(page.html, /<script src="\/static\/signed_out\.\w+\.js"/);
  });

  it("L8: names the sid that a client with pairwise subjects knows", async () => {
    const kit = openFramedKit({ subjectType: "pairwise" });
    const { browser, idToken } = await signInAt(kit, "one");
    const { html } = await signOut(kit, browser);
    assertMatch(present(framesOf(html)[0]), new RegExp(`sid=${claimsOf(idToken).sid}$`));
  });

  it("A35 allows frames of exactly these origins, and of none on any other page", async () => {
    const kit = openFramedKit();
    const { browser } = await signInAt(kit, "one");
    await signInAt(kit, "two", browser);
    const policyOf = ({ headers }: Page) => headers.get("Content-Security-Policy")!;
    const home = await browser.open(`${kit.issuer}/`);
    assertMatch(
      policyOf(await browser.submit(home, "sign-out")),
      /; frame-src (https:\/\/one\.example https:\/\/two\.example|https:\/\/two\.example https:\/\/one\.example)$/,
    );
    assertNotMatch(policyOf(await browser.submit(home, "sign-out")), /frame-src/);
    assertNotMatch(policyOf(home), /frame-src/);
  });

  it("M5: leaves out the frame of a client whose stored URI has an odd host, and shows the others", async () => {
    const kit = openFramedKit();
    const one = present(await kit.server.context.settings.clients.get("one"));
    const odd = { ...one, id: "odd", frontchannelLogoutUri: "https://a;sandbox/cb" };
    await kit.server.context.records.clients.put("odd", odd, 8.64e15);
    const { browser } = await signInAt(kit, "one");
    await signInAt(kit, "odd", browser, { redirect_uri: one.redirectUris[0] });
    const page = await signOut(kit, browser);
    assertEquals(framesOf(page.html).length, 1);
    assertMatch(
      page.headers.get("Content-Security-Policy")!,
      /; frame-src https:\/\/one\.example$/,
    );
  });

  it("shows the frames as well after a sign-out on the home page", async () => {
    const kit = openFramedKit();
    const { browser } = await signInAt(kit, "one");
    const page = await signOut(kit, browser);
    assertEquals(framesOf(page.html).length, 1);
    assert(page.html.includes('<a id="continue" class="button" href="/">Home</a>'));
  });
});
