import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { add as addUser } from "../../../src/administration/users.ts";
import type { Browser } from "../../support/browser.ts";
import { present } from "../../support/present.ts";
import { openWithAndWithout } from "../../support/without_feature.ts";

const scope = "openid profile";
const first = "the first password";
const second = "another password";

/** Opens the servers, with a user who has signed in with two browsers of the whole one. */
async function openWithDora() {
  const { whole, without } = openWithAndWithout("account pages");
  await addUser(whole.server.context, { name: "dora", password: first });
  const [own, other] = [whole.browser(), whole.browser()];
  const signIn = async (browser: Browser) =>
    present(
      (await whole.authorize({ scope }, { user: "dora", password: first }, browser)).get("code"),
    );
  const codes = [await signIn(own), await signIn(other)];
  return { whole, without, own, other, codes };
}

describe("A server without the account pages, on the store of one that has them", () => {
  it("has none of these pages, and links to none", async () => {
    const { whole, without, own } = await openWithDora();
    assertEquals((await without.get("/account")).status, 404);
    for (const page of ["sign-in", "password", "sessions", "remove"]) {
      assertEquals((await without.post(`/account/${page}`, {})).status, 404, page);
    }
    const browser = without.browser(own);
    const consentUrl = without.authorizationUrl({ scope, prompt: "consent" });
    const pages = [
      await without.browser().open(`${without.issuer}/`),
      await browser.open(`${without.issuer}/`),
      await browser.open(consentUrl),
    ];
    assertEquals(pages.map(({ html }) => html.includes('href="/account')), [false, false, false]);
    assert(pages[1]?.html.includes('id="sign-out"'));
    assert((await own.open(`${whole.issuer}/`)).html.includes('href="/account'));
  });

  it("obeys what a user did there: a new password ended sessions and tokens", async () => {
    const { whole, without, own, other, codes } = await openWithDora();
    const { access_token } = (await whole.redeem(present(codes[1]))).body;
    await own.submit(await own.open(`${whole.issuer}/account/password`), "change-password", {
      current_password: first,
      new_password: second,
      repeated_password: second,
    });
    assertEquals((await without.userinfo(access_token)).status, 401);
    const isSignedIn = async (browser: Browser) => {
      const same = without.browser(browser);
      return (await same.open(`${without.issuer}/`)).html.includes('id="sign-out"');
    };
    assertEquals([await isSignedIn(own), await isSignedIn(other)], [true, false]);
    const attempt = async (password: string) => {
      const browser = without.browser();
      const signIn = await browser.open(without.authorizationUrl({ scope }));
      return (await browser.signIn(signIn, "dora", password)).status;
    };
    assertEquals([await attempt(first), await attempt(second)], [422, 303]);
  });
});
