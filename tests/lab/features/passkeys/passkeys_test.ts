import { assertEquals, assertMatch, assertNotMatch, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { add as addUser } from "../../../../src/administration/users.ts";
import { enrol, signInByPasskey } from "../../../features/passkeys/passkey_kit.ts";
import { textOf } from "../../../support/browser.ts";
import { itWith } from "../../../support/it_with.ts";
import { claimsOf, openLabKit } from "../../../support/kit.ts";
import { present } from "../../../support/present.ts";

const acrValues = ["urn:hallpass:password", "phr"];

function open() {
  return openLabKit({
    passkeys: { required: "all" },
    acrValues,
    users: [{ name: "alice", password: "alice" }],
  });
}

const it = itWith({ required: open, offered: () => openLabKit({ passkeys: "offered" }) });

describe("A lab that demands passkeys", () => {
  it.required("signs a user in by passkey without a page and without a device", async (kit) => {
    kit.lab.signIn("alice", { factor: "passkey" });
    const { url } = await kit.browser().open(kit.authorizationUrl({ scope: "openid" }));
    const { body } = await kit.redeem(present(new URL(url).searchParams.get("code")));
    const { acr, amr } = claimsOf(body.id_token);
    assertEquals([acr, amr], ["phr", ["pop", "user", "mfa"]]);
  });

  it.required("lets a test choose what such a sign-in states", async (kit) => {
    kit.lab.signIn("alice", { factor: "passkey", acr: "urn:hallpass:password", amr: ["pop"] });
    const { url } = await kit.browser().open(kit.authorizationUrl({ scope: "openid" }));
    const { body } = await kit.redeem(present(new URL(url).searchParams.get("code")));
    const { acr, amr } = claimsOf(body.id_token);
    assertEquals([acr, amr], ["urn:hallpass:password", ["pop"]]);
  });

  it.required("shows the page to a user who signs in without one", async (kit) => {
    kit.lab.signIn("alice");
    const { html } = await kit.browser().open(kit.authorizationUrl({ scope: "openid" }));
    assertMatch(html, /id="one-click"/);
  });

  it.required("takes the factor of a click", async (kit) => {
    const click = async (fields: Record<string, string>) => {
      const browser = kit.browser();
      const page = await browser.open(kit.authorizationUrl({ scope: "openid" }));
      assertMatch(page.html, /name="factor"/);
      return await browser.submit(page, "one-click", { one_click: "alice", ...fields });
    };
    assertMatch(textOf((await click({})).html), /This account needs a passkey/);
    assertNotMatch((await click({ factor: "passkey" })).html, /id="one-click"/);
  });

  it.required("knows no other factor", async (kit) => {
    const factor = "password" as "passkey";
    assertThrows(() => kit.lab.signIn("alice", { factor }), Error, "passkey");
  });
});

describe("A lab that offers passkeys", () => {
  it.offered("has the pages of passkeys, although a policy signs its users in", async (kit) => {
    assertEquals((await kit.get("/passkeys/challenge")).status, 200);
  });

  it.offered("signs a user of its store in by the real ceremony", async (kit) => {
    await addUser(kit.server.context, { name: "dora" });
    const first = kit.browser();
    await first.submit(await first.open(`${kit.issuer}/account`), "one-click", {
      one_click: "dora",
    });
    const { authenticator } = await enrol(kit, first);
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ scope: "openid" }));
    const signedIn = await signInByPasskey(kit, browser, page, authenticator);
    const { url } = await browser.decide(signedIn);
    const { body } = await kit.redeem(present(new URL(url).searchParams.get("code")));
    assertEquals(claimsOf(body.id_token).amr, ["pop", "user", "mfa"]);
  });
});
