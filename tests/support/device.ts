import type { Browser, Page, UserActions } from "./browser.ts";
import type { Fields, FlowKit, ReadResponse } from "./flow_kit.ts";

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** Sends the device authorization request of demo-cli. */
export async function beginDevice(
  kit: FlowKit,
  fields: Fields = {},
  headers?: Record<string, string>,
): Promise<ReadResponse> {
  const own = { client_id: "demo-cli", scope: "openid profile read" };
  return await kit.sendForm("/oauth2/device_authorization", { ...own, ...fields }, headers);
}

/** Sends a token request of a device of demo-cli. */
export function pollDevice(
  kit: FlowKit,
  deviceCode: string,
  fields: Fields = {},
  headers?: Record<string, string>,
): Promise<ReadResponse> {
  const own = { grant_type: deviceGrant, device_code: deviceCode, client_id: "demo-cli" };
  return kit.token({ ...own, ...fields }, headers);
}

/** Enters a user code. */
export async function typeCode(kit: FlowKit, browser: Browser, userCode: string): Promise<Page> {
  return await browser.submit(await browser.open(`${kit.issuer}/device`), "device", {
    user_code: userCode,
  });
}

/** Enters a user code, signs in and decides. */
export async function answerDevice(
  kit: FlowKit,
  userCode: string,
  actions: UserActions = {},
  browser: Browser = kit.browser(),
): Promise<Page> {
  const { user = "alice", password = user, decision = "allow" } = actions;
  let page = await typeCode(kit, browser, userCode);
  if (page.html.includes('id="sign-in"')) {
    page = await browser.signIn(page, user, password);
  }
  return await browser.decide(page, decision);
}
