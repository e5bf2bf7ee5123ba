import { assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { createPasskeyLink } from "../../../src/server/features/passkeys/administer_passkeys.ts";
import { type Browser, textOf } from "../../support/browser.ts";
import { itWith } from "../../support/it_with.ts";
import { claimsOf, type Kit } from "../../support/kit.ts";
import { present } from "../../support/present.ts";
import {
  addByLink,
  enrol,
  openEnrolled,
  openPasskeyKit,
  password,
  signInByPasskey,
  signInByPassword,
} from "./passkey_kit.ts";
import {
  createAuthenticator,
  flag,
  type SoftwareAuthenticator,
  type Stated,
} from "./software_authenticator.ts";

const it = itWith({ enrolled: openEnrolled });

const failed = "This passkey did not work here.";

describe("A sign-in by passkey", () => {
  it.enrolled("gives a client what it proved: acr, amr, also after a refresh", async () => {
    const { kit, signIn } = await openEnrolled({ acrValues: ["one", "phr"] });
    const { page, browser } = await signIn();
    const { url } = await browser.decide(page);
    const code = present(new URL(url).searchParams.get("code"));
    const { body } = await kit.redeem(code);
    const { acr, amr, sub } = claimsOf(body.id_token);
    assertEquals([acr, amr, sub], ["phr", ["pop", "user", "mfa"], "dora"]);
    assertEquals(claimsOf(body.access_token).acr, "phr");
  });

  it("is offered only while a user has a passkey", async () => {
    const kit = await openPasskeyKit();
    const open = () => kit.browser().open(kit.authorizationUrl());
    assertNotMatch((await open()).html, /passkey|webauthn/);
    const browser = kit.browser();
    await signInByPassword(kit, browser);
    await enrol(kit, browser);
    assertMatch(
      (await open()).html,
      /id="passkey-sign-in"[\s\S]*autocomplete="username webauthn"|autocomplete="username webauthn"[\s\S]*id="passkey-sign-in"/,
    );
  });

  it.enrolled("uses its challenge once", async ({ kit, signIn, authenticator }) => {
    const first = await signIn();
    const challenge = await (await first.browser.request(`${kit.issuer}/passkeys/challenge`))
      .json();
    assertEquals((await signIn(challenge, first.browser)).page.status, 200);
    const again = await signIn(challenge, first.browser);
    assertEquals(again.page.status, 422);
    assertEquals(authenticator.algorithm, -7);
  });

  it.enrolled("refuses the challenge of another browser, and one that ended", async ({ kit, signIn }) => {
    const other = kit.browser();
    const challenge = await (await other.request(`${kit.issuer}/passkeys/challenge`)).json();
    assertEquals((await signIn(challenge)).page.status, 422);
    const browser = kit.browser();
    const old = await (await browser.request(`${kit.issuer}/passkeys/challenge`)).json();
    kit.clock.advance(600);
    assertEquals((await signIn(old, browser)).page.status, 422);
    assertEquals((await signIn({}, browser)).page.status, 200);
  });

  const flaws: ReadonlyArray<[what: string, changes: Partial<Stated>]> = [
    ["another origin", { origin: "https://evil.example" }],
    ["a frame of another site", { crossOrigin: true }],
    ["no PIN or finger", { flags: flag.present | flag.eligible }],
    ["another backup eligibility", { flags: flag.present | flag.verified }],
  ];
  for (const [what, changes] of flaws) {
    it.enrolled(`is refused, and counts as no guess: ${what}`, async ({ kit, signIn }) => {
      const { page } = await signIn(changes);
      assertEquals(page.status, 422);
      assertStringIncludes(textOf(page.html), failed);
      assertEquals(kit.events.filter(({ type }) => type === "sign_in.failed").length, 1);
    });
  }

  it.enrolled("is refused alike without a user, without a passkey, and with a wrong signature", async ({ kit, signIn }) => {
    const { page: wrong } = await signIn({ origin: "https://evil.example" });
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ scope: "openid", prompt: "login" }));
    const unknown = await createAuthenticator({ id: "dW5rbm93bg" });
    const refused = await signInByPasskey(kit, browser, page, unknown);
    assertEquals([refused.status, textOf(refused.html)], [wrong.status, textOf(wrong.html)]);
  });

  it.enrolled("takes as much work to refuse without a passkey as with a wrong signature", async ({ kit, signIn }) => {
    const stranger = await createAuthenticator({ id: "dW5rbm93bg" });
    const browser = kit.browser();
    const page = await browser.open(kit.authorizationUrl({ scope: "openid", prompt: "login" }));
    const { subtle } = crypto;
    const verify = subtle.verify.bind(subtle);
    let verified = 0;
    subtle.verify = (...given: Parameters<typeof verify>) => {
      verified += 1;
      return verify(...given);
    };
    try {
      await signIn({ origin: "https://evil.example" });
      const known = verified;
      await signInByPasskey(kit, browser, page, stranger);
      assertEquals([known, verified], [1, 2]);
    } finally {
      subtle.verify = verify;
    }
  });

  it.enrolled("refuses a counter that does not grow, unless the passkey is synced", async ({ signIn }) => {
    const alone = flag.present | flag.verified | flag.eligible;
    const statuses: number[] = [];
    for (const counter of [5, 6, 6, 3, 7]) {
      statuses.push((await signIn({ counter, flags: alone })).page.status);
    }
    assertEquals(statuses, [200, 200, 422, 422, 200]);
    assertEquals((await signIn({ counter: 7 })).page.status, 200);
  });
});

describe("The passkeys of a user", () => {
  it.enrolled("are twenty at most", async ({ kit, signIn }) => {
    const { browser } = await signIn();
    const statuses: number[] = [];
    for (let at = 2; at <= 21; at++) {
      const id = `cGFzc2tleQ${String.fromCharCode(63 + at)}A`;
      const { page } = await enrol(kit, browser, await createAuthenticator({ id }));
      statuses.push(page.status);
      if (page.status === 303) continue;
      assertStringIncludes(textOf(page.html), "You have 20 passkeys. Remove one first.");
    }
    assertEquals(statuses, [...Array(19).fill(303), 422]);
  });

  it.enrolled("change only after a sign-in by one of them", async ({ kit, signIn }) => {
    const thief = kit.browser();
    await signInByPassword(kit, thief);
    const page = await thief.open(`${kit.issuer}/account/passkeys`);
    assertMatch(textOf(page.html), /This account needs a passkey/);
    assertNotMatch(page.html, /add-passkey/);
    const { browser } = await signIn();
    assertMatch((await browser.open(`${kit.issuer}/account/passkeys`)).html, /add-passkey/);
    kit.clock.advance(601);
    assertNotMatch((await browser.open(`${kit.issuer}/account/passkeys`)).html, /add-passkey/);
  });

  it.enrolled("are refused if their id is known, of any user", async ({ kit, signIn, authenticator }) => {
    const { browser } = await signIn();
    const { page } = await enrol(kit, browser, authenticator);
    assertEquals(page.status, 422);
    assertStringIncludes(textOf(page.html), "Nothing was changed");
  });

  it.enrolled("end the other sessions when they change, and show it on the account page", async ({ kit, browser, signIn }) => {
    const { browser: other } = await signIn();
    const page = await other.open(`${kit.issuer}/account/passkeys`);
    const form = present(/id="(remove-[^"]+)"/.exec(page.html)?.[1]);
    await other.submit(page, form);
    assertMatch((await browser.open(`${kit.issuer}/account`)).html, /id="sign-in"/);
    assertStringIncludes(
      textOf((await other.open(`${kit.issuer}/account`)).html),
      "Passkey was removed",
    );
    assertNotMatch((await kit.browser().open(kit.authorizationUrl())).html, /passkey-sign-in/);
  });

  it.enrolled("can be all that signs the user in, who is told so after the right password only", async ({ kit, signIn }) => {
    const { browser } = await signIn();
    await browser.submit(await browser.open(`${kit.issuer}/account/passkeys`), "only-passkeys");
    const texts: string[] = [];
    for (const typed of [password, "wrong"]) {
      const other = kit.browser();
      const page = await other.open(`${kit.issuer}/account`);
      const after = await other.submit(page, "sign-in", { username: "dora", password: typed });
      texts.push(textOf(after.html));
    }
    assertStringIncludes(texts[0] ?? "", "This account needs a passkey.");
    assertStringIncludes(texts[1] ?? "", "Wrong user name or password.");
    const page = await browser.open(`${kit.issuer}/account/passkeys`);
    const form = present(/id="(remove-[^"]+)"/.exec(page.html)?.[1]);
    assertEquals((await browser.submit(page, form)).status, 422);
  });
});

/** Returns the status of the page of a link. */
async function openLink(kit: Kit, url: string): Promise<number> {
  const browser = kit.browser();
  const { url: next } = await browser.open(url);
  return (await browser.open(new URL(next, kit.issuer).href)).status;
}

describe("A link by which a user gets a new passkey", () => {
  it("works once, under a demand too, and ends what the user had", async () => {
    for (const isLost of [false, true]) {
      const { kit, browser, authenticator } = await openEnrolled();
      const { context } = kit.server;
      const { url } = await createPasskeyLink(context, "dora", isLost);
      const accountOf = async (other: Browser) => (await other.open(`${kit.issuer}/account`)).html;
      assertEquals((await accountOf(browser)).includes('id="passkeys"'), !isLost);
      const other = kit.browser();
      assertEquals((await other.open(url)).url, "/passkeys/new");
      const page = await other.open(`${kit.issuer}/passkeys/new`);
      const added = await addByLink(kit, other, page, authenticator.userHandle);
      assertStringIncludes(textOf(added.page.html), "Your passkey is saved.");
      assertEquals((await accountOf(browser)).includes('id="passkeys"'), false);
      const signIn = async (passkey: SoftwareAuthenticator) => {
        const fresh = kit.browser();
        const form = await fresh.open(`${kit.issuer}/account`);
        return (await signInByPasskey(kit, fresh, form, passkey)).status;
      };
      assertEquals([await signIn(authenticator), await signIn(added.authenticator)], [422, 303]);
      assertEquals(await openLink(kit, url), 403);
    }
  });

  it.enrolled("ends after an hour, and with a newer one", async ({ kit }) => {
    const { context } = kit.server;
    const { url } = await createPasskeyLink(context, "dora", false);
    const newer = await createPasskeyLink(context, "dora", false);
    assertEquals([await openLink(kit, url), await openLink(kit, newer.url)], [403, 200]);
    kit.clock.advance(3601);
    assertEquals(await openLink(kit, newer.url), 403);
  });
});
