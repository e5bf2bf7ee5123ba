import { assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { describe } from "node:test";
import { hallpass, LabError } from "../../../../src/lab/testing/mod.ts";
import { ConfigError, createServer } from "../../../../src/server/mod.ts";
import { type Browser, textOf } from "../../../support/browser.ts";
import { itWith } from "../../../support/it_with.ts";
import { claimsOf, type Kit, openLabKit } from "../../../support/kit.ts";
import { testClient } from "../../../support/test_client.ts";
import { needs } from "../../../support/where_feature.ts";

const it = itWith({
  inLab: () => hallpass({ anyUser: true }),
  inKit: () => openLabKit({ anyUser: true }),
});

const client = testClient({ scope: "openid profile email" });

/** Signs in with the form for any user, and returns the page that follows. */
async function signIn(kit: Kit, fields: Record<string, string>, browser: Browser = kit.browser()) {
  const page = await browser.open(kit.authorizationUrl({ scope: "openid email" }));
  return await browser.submit(page, "other-user", fields);
}

function namesIn({ users }: { users: { list(): Array<{ name: string }> } }): string[] {
  return users.list().map(({ name }) => name);
}

describe("A user whom the lab does not know", () => {
  it.inKit("signs in at the page with claims, and stays until a reset", async (kit) => {
    const browser = kit.browser();
    const claims = JSON.stringify({ email: "zoe@example.com" });
    const consent = await signIn(kit, { one_click: "zoe", claims }, browser);
    const callback = new URL((await browser.decide(consent)).url).searchParams;
    const { body } = await kit.redeem(callback.get("code") ?? "");
    const { sub, email } = claimsOf(body.id_token);
    assertEquals([sub, email], ["zoe", "zoe@example.com"]);
    assertEquals((await kit.userinfo(body.access_token)).body.email, "zoe@example.com");
    assertMatch((await kit.browser().open(kit.authorizationUrl())).html, /id="one-click-zoe"/);
    await kit.lab.reset();
    assertEquals(namesIn(kit.lab).includes("zoe"), false);
    assertEquals((await kit.userinfo(body.access_token)).status, 401);
  });

  it.inKit("keeps the claims at the next sign-in, unless others are typed", async (kit) => {
    const claimsAfter = async (claims: string) => {
      await signIn(kit, { one_click: "zoe", claims });
      return kit.lab.users.get("zoe").claims;
    };
    assertEquals(await claimsAfter(""), {});
    assertEquals(await claimsAfter('{ "email": "a@b.example" }'), { email: "a@b.example" });
    assertEquals(await claimsAfter(" "), { email: "a@b.example" });
    assertEquals(await claimsAfter('{ "roles": ["admin"] }'), { roles: ["admin"] });
  });

  for (const where of ["lab", "tenant"]) {
    it.inLab(`signs in by each way of a ${where}`, async (around) => {
      const lab = where === "lab" ? around : await around.tenant({ anyUser: true });
      const subOf = async (actions: { user?: string }) =>
        claimsOf((await client.tokens(lab, {}, actions)).id_token ?? "").sub;
      assertEquals(await subOf({ user: "by-page" }), "by-page");
      lab.signIn("by-method", { times: 1 });
      assertEquals(await subOf({}), "by-method");
      assertEquals(namesIn(lab).slice(-2), ["by-page", "by-method"]);
    });
  }

  it("signs in by a login_hint, and as the user of the configuration", async () => {
    await using lab = await hallpass({ anyUser: true, signInByHint: true, signIn: "first" });
    for (const [changes, sub] of [[{}, "first"], [{ login_hint: "hinted" }, "hinted"]] as const) {
      assertEquals(claimsOf((await client.tokens(lab, changes, {})).id_token ?? "").sub, sub);
    }
  });

  const refused: ReadonlyArray<[fields: Record<string, string>, message: RegExp]> = [
    [{ one_click: "zoe", claims: '{ "sub": "alice" }' }, /sets the claim 'sub' itself/],
    ...["iss", "aud", "exp", "acr", "auth_time", "sid", "nonce", "scope", "client_id"].map((name) =>
      [{ one_click: "zoe", claims: `{ "${name}": "x" }` }, new RegExp(`claim '${name}'`)] as [
        Record<string, string>,
        RegExp,
      ]
    ),
    [{ one_click: "zoe", claims: "[]" }, /must be a JSON object/],
    [{ one_click: "zoe", claims: "{ email: }" }, /must be a JSON object/],
    [{ one_click: "zoe", claims: `{ "a": "${"a".repeat(10_000)}" }` }, /10000 characters/],
    [{ one_click: "alice", claims: '{ "email": "x@y.example" }' }, /'alice' is a user of the lab/],
    [{ one_click: "Zoë" }, /a 'sub' has up to 255 visible ASCII characters/],
    [{ one_click: "a b" }, /a 'sub' has up to 255 visible ASCII characters/],
    [{ one_click: "z".repeat(256) }, /a 'sub' has up to 255 visible ASCII characters/],
    [{ one_click: "demo-service" }, /which is also the 'sub' of a user/],
    [{ one_click: "sub-of-ann" }, /the 'sub' of users contains 'sub-of-ann' more than once/],
  ];

  for (const [fields, message] of refused) {
    it(`is refused: ${JSON.stringify(fields).slice(0, 70)}`, async () => {
      const users = [{ name: "alice" }, { name: "ann", sub: "sub-of-ann" }];
      const kit = openLabKit({ anyUser: true, users });
      const { status, html } = await signIn(kit, fields);
      assertEquals([status, namesIn(kit.lab)], [422, ["alice", "ann"]]);
      assertMatch(textOf(html), message);
      assertMatch(html, /aria-invalid="true" aria-describedby="other-user-problem"/);
      assertEquals(html.includes("Wrong user name"), false);
    });
  }

  it.inKit("can be corrected in the form, which has what was typed", async (kit) => {
    const browser = kit.browser();
    const page = await signIn(kit, { one_click: "zoe", claims: '{ "email": }' }, browser);
    assertMatch(page.html, /<textarea [^>]*aria-invalid[^>]*>\{ &quot;email&quot;: \}<\/textarea>/);
    assertMatch(page.html, /name="one_click"[^>]* value="zoe"/);
    const corrected = { one_click: "zoe", claims: '{ "email": "a@b.example" }' };
    await browser.submit(page, "other-user", corrected);
    assertEquals(kit.lab.users.get("zoe").claims, { email: "a@b.example" });
  });

  it("is refused while the user is disabled, and by a password", async () => {
    const kit = openLabKit({ anyUser: true, users: [{ name: "ann", disabled: true }] });
    assertEquals((await signIn(kit, { one_click: "ann" })).status, 422);
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl());
    assertEquals((await browser.signIn(page, "zoe", "zoe")).status, 422);
    assertEquals(namesIn(kit.lab), ["ann"]);
  });

  it.inLab("is refused without a page if there cannot be such a user", async (lab) => {
    lab.signIn("no user");
    const { status } = await lab.fetch(client.authorizationUrl(lab));
    assertEquals(status, 400);
  });

  it.inKit("needs the form of the page: no other site makes a user known", async (kit) => {
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl());
    const forged = { one_click: "zoe", form_token: "forged" };
    assertEquals((await browser.submit(page, "other-user", forged)).status, 403);
    assertEquals(namesIn(kit.lab).includes("zoe"), false);
  });

  it("is one of the newest 1,000", async () => {
    await using lab = await hallpass({ anyUser: true, signInByHint: true, users: [] });
    const first = await client.tokens(lab, { login_hint: "user-0" }, {});
    for (let at = 1; at <= 1000; at++) {
      await lab.fetch(client.authorizationUrl(lab, { login_hint: `user-${at}` }));
    }
    const names = namesIn(lab);
    assertEquals([names.length, names[0], names.at(-1)], [1000, "user-1", "user-1000"]);
    assertEquals((await client.userinfo(lab, first.access_token)).status, 401);
  });

  it.inLab("returns with a snapshot, and can be typed again", needs("snapshots"), async (lab) => {
    await client.tokens(lab, {}, { user: "zoe" });
    const before = await lab.snapshot();
    await client.tokens(lab, {}, { user: "yan" });
    await lab.restore(before);
    assertEquals([namesIn(lab).includes("zoe"), namesIn(lab).includes("yan")], [true, false]);
  });

  it("is refused without anyUser, and by a server that is for no test, by name", async () => {
    await using lab = await hallpass();
    assertThrows(() => lab.signIn("zoe"), LabError, "There is no user 'zoe'");
    await assertRejects(() => client.tokens(lab, {}, { user: "zoe" }), LabError, "no user 'zoe'");
    assertThrows(() => lab.configure({ anyUser: true }), LabError, "'anyUser' cannot be set here");
    const config = { issuer: "https://op.example", anyUser: true } as object;
    const { message } = assertThrows(() => createServer(config as never), ConfigError);
    assertMatch(message, /anyUser is for tests only: it signs in users that the server does not/);
  });
});
