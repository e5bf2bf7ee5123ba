import { assert, assertEquals } from "@std/assert";
import { listChanges } from "../../../../src/server/issuer/admin/changes.ts";
import { disable as disableUser } from "../../../../src/server/issuer/admin/users.ts";
import { deliverLogouts } from "../../../../src/server/issuer/sessions/logout_deliveries.ts";
import { answerPages } from "../../../support/browser.ts";
import { answerDevice } from "../../../support/device.ts";
import { challenge, claimsOf, read } from "../../../support/kit.ts";
import { browserWith, passwordOf, storeUser, tokensOf, withoutPage } from "../steps.ts";
import { fact, type StoredFact } from "../stored_fact.ts";
import { deviceGrant, redirectUri, type StoredKit } from "../stored_server.ts";

/** The seconds after which a failed delivery is tried again. */
const retryDelay = 30;

const request = {
  client_id: "app",
  response_type: "code",
  redirect_uri: redirectUri,
  scope: "openid",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

async function beginDevice(kit: StoredKit) {
  const fields = { client_id: "device", scope: "openid profile" };
  return (await read(await kit.post("/oauth2/device_authorization", fields))).body;
}

async function pollDevice(kit: StoredKit, device_code: string) {
  return (await kit.token({ grant_type: deviceGrant, device_code, client_id: "device" })).body;
}

/** What waits for a user, a device, or another try. */
export const requestFacts: readonly StoredFact[] = [
  fact(
    "a pushed request is started",
    async (kit) => {
      const user = await storeUser(kit, "tina");
      const { body } = await read(await kit.post("/oauth2/par", request));
      return { user, request_uri: body.request_uri };
    },
    async (kit, { user, request_uri }) => {
      const query = new URLSearchParams({ client_id: "app", request_uri });
      const actions = { user, password: passwordOf(user) };
      const url = await kit.browser().authorize(`${kit.issuer}/oauth2/authorize?${query}`, actions);
      assert(new URL(url).searchParams.has("code"));
    },
  ),
  fact(
    "a sign-in page that is open leads to a code",
    async (kit) => {
      const user = await storeUser(kit, "ursa");
      const browser = kit.browser();
      const { url } = await browser.open(kit.authorizationUrl(request));
      await browser.submit(await browser.open(url), "sign-in", { username: user, password: "no" });
      return { user, url, cookies: [...browser.cookies] };
    },
    async (kit, { user, url, cookies }) => {
      const browser = browserWith(kit, cookies);
      const actions = { user, password: passwordOf(user) };
      const page = await answerPages(browser, await browser.open(url), actions);
      assert(new URL(page.url).searchParams.has("code"));
    },
  ),
  fact(
    "a device that waits is allowed",
    async (kit) => {
      const user = await storeUser(kit, "vera");
      const { device_code, user_code } = await beginDevice(kit);
      assertEquals((await pollDevice(kit, device_code)).error, "authorization_pending");
      return { user, device_code, user_code };
    },
    async (kit, { user, device_code, user_code }) => {
      await answerDevice(kit, user_code, { user, password: passwordOf(user) });
      assert((await pollDevice(kit, device_code)).access_token);
    },
  ),
  fact(
    "a device that was allowed gets its tokens, and one that was denied gets none",
    async (kit) => {
      const user = await storeUser(kit, "walt");
      const [allowed, denied] = [await beginDevice(kit), await beginDevice(kit)];
      const actions = { user, password: passwordOf(user) };
      await answerDevice(kit, allowed.user_code, actions);
      await answerDevice(kit, denied.user_code, { ...actions, decision: "deny" });
      return { allowed: allowed.device_code, denied: denied.device_code };
    },
    async (kit, { allowed, denied }) => {
      assert((await pollDevice(kit, allowed)).access_token);
      assertEquals((await pollDevice(kit, denied)).error, "access_denied");
    },
  ),
  fact(
    "a sign-out that waits for its user is finished",
    async (kit) => {
      const browser = kit.browser();
      await tokensOf(kit, { user: await storeUser(kit, "xena") }, browser);
      const { url } = await browser.open(`${kit.issuer}/oauth2/logout`);
      return { url, cookies: [...browser.cookies] };
    },
    async (kit, { url, cookies }) => {
      const browser = browserWith(kit, cookies);
      await browser.submit(await browser.open(url), "confirm-sign-out");
      const answer = await withoutPage(kit, browserWith(kit, cookies));
      assertEquals(answer.get("error"), "login_required");
    },
  ),
  fact(
    "the log of changes is complete",
    async (kit) => {
      const user = await storeUser(kit, "yves");
      const action = { by: "root", command: "user disable" };
      await disableUser({ ...kit.server.context, action }, user);
      return user;
    },
    async (kit, user) => {
      const changes = await listChanges(kit.server.context);
      assert(changes.some(({ target, by }) => target === user && by === "root"));
    },
  ),
  fact(
    "a logout that did not arrive is delivered",
    async (kit) => {
      const browser = kit.browser();
      const user = await storeUser(kit, "zoe");
      const { id_token } = await tokensOf(kit, { user, client: "notified" }, browser);
      await browser.submit(await browser.open(`${kit.issuer}/`), "sign-out");
      await kit.server.context.background.idle();
      return claimsOf(id_token).sid;
    },
    async (kit, sid) => {
      kit.clock.advance(retryDelay);
      kit.isReachable = true;
      await deliverLogouts(kit.server.context);
      await kit.server.context.background.idle();
      assert(kit.logouts.some((token) => claimsOf(token).sid === sid));
    },
  ),
];
