import type { Browser, Page, UserActions } from "./browser.ts";
import { type Fields, type Kit, read, type ReadResponse } from "./kit.ts";

export const deviceGrant = "urn:ietf:params:oauth:grant-type:device_code";

/** A device of demo-cli asks for its codes. */
export async function beginDevice(
  kit: Kit,
  fields: Fields = {},
  headers?: Record<string, string>,
): Promise<ReadResponse> {
  return await read(
    await kit.post("/oauth2/device_authorization", {
      client_id: "demo-cli",
      scope: "openid profile read",
      ...fields,
    }, headers),
  );
}

/** A device of demo-cli asks for its answer. */
export function pollDevice(
  kit: Kit,
  deviceCode: string,
  fields: Fields = {},
  headers?: Record<string, string>,
): Promise<ReadResponse> {
  return kit.token({
    grant_type: deviceGrant,
    device_code: deviceCode,
    client_id: "demo-cli",
    ...fields,
  }, headers);
}

/** A person types a code. */
export async function typeCode(kit: Kit, browser: Browser, userCode: string): Promise<Page> {
  return await browser.submit(await browser.open(`${kit.issuer}/device`), "device", {
    user_code: userCode,
  });
}

/** A person goes all the way from the code to the last page. */
export async function answerDevice(
  kit: Kit,
  userCode: string,
  person: UserActions = {},
  browser = kit.browser(),
): Promise<Page> {
  const { user = "alice", password = user, decision = "allow" } = person;
  let page = await typeCode(kit, browser, userCode);
  if (page.html.includes('id="sign-in"')) {
    page = await browser.submit(page, "sign-in", { username: user, password });
  }
  return await browser.submit(page, "consent", { decision });
}
