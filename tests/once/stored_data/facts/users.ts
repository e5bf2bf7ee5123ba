import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  disable as disableUser,
  enable as enableUser,
  setPassword,
} from "../../../../src/server/issuer/admin/users.ts";
import { claimsOf } from "../../../support/kit.ts";
import {
  browserWith,
  codeOf,
  isActive,
  passwordOf,
  refreshOf,
  storeUser,
  tokensOf,
  withoutPage,
} from "../steps.ts";
import { fact, type StoredFact } from "../stored_fact.ts";

/** What is stored about users and their sessions. */
export const userFacts: readonly StoredFact[] = [
  fact(
    "a user of the store signs in",
    (kit) => storeUser(kit, "dora"),
    async (kit, user) => void await tokensOf(kit, { user }),
  ),
  fact(
    "a new password is the only one that signs in",
    async (kit) => {
      await storeUser(kit, "erin");
      await setPassword(kit.server.context, "erin", "another password of erin");
      return { user: "erin", password: "another password of erin" };
    },
    async (kit, actions) => {
      const browser = kit.browser();
      const page = await browser.open(kit.authorizationUrl({ client_id: "app" }));
      const wrong = { username: actions.user, password: passwordOf(actions.user) };
      const again = await browser.submit(page, "sign-in", wrong);
      assertStringIncludes(again.html, '<form id="sign-in"');
      assert((await kit.authorize({ client_id: "app" }, actions)).has("code"));
    },
  ),
  fact(
    "a disabled user stays out, and enabling them brings nothing back",
    async (kit) => {
      const user = await storeUser(kit, "fred");
      const { access_token, refresh_token } = await tokensOf(kit, { user });
      await disableUser(kit.server.context, user);
      return { user, access_token, refresh_token };
    },
    async (kit, { user, access_token, refresh_token }) => {
      assertEquals(await codeOf(kit, { user }).catch(() => "refused"), "refused");
      await enableUser(kit.server.context, user);
      assertEquals(await isActive(kit, access_token), false);
      assertEquals((await refreshOf(kit, refresh_token)).body.error, "invalid_grant");
      assert(await codeOf(kit, { user }));
    },
  ),
  fact(
    "a session needs no second sign-in",
    async (kit) => {
      const browser = kit.browser();
      const { id_token } = await tokensOf(kit, { user: await storeUser(kit, "gwen") }, browser);
      return { cookies: [...browser.cookies], sid: claimsOf(id_token).sid, id_token };
    },
    async (kit, { cookies, sid, id_token }) => {
      const browser = browserWith(kit, cookies);
      const answer = await withoutPage(kit, browser, { id_token_hint: id_token });
      const { body } = await kit.redeem(answer.get("code") ?? "", { client_id: "app" });
      assertEquals(claimsOf(body.id_token).sid, sid);
    },
  ),
  fact(
    "a session that its user ended stays ended",
    async (kit) => {
      const browser = kit.browser();
      await tokensOf(kit, { user: await storeUser(kit, "hugo") }, browser);
      const cookies = [...browser.cookies];
      await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
      return cookies;
    },
    async (kit, cookies) => {
      const answer = await withoutPage(kit, browserWith(kit, cookies));
      assertEquals(answer.get("error"), "login_required");
    },
  ),
  fact(
    "a pairwise subject stays the same",
    async (kit) => {
      const user = await storeUser(kit, "ines");
      const { id_token } = await tokensOf(kit, { user, client: "pairwise" });
      return { user, sub: claimsOf(id_token).sub };
    },
    async (kit, { user, sub }) => {
      const { id_token } = await tokensOf(kit, { user, client: "pairwise" });
      assertEquals(claimsOf(id_token).sub, sub);
    },
  ),
];
