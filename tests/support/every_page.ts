import type { Page } from "./browser.ts";
import { answerDevice, beginDevice, typeCode } from "./device.ts";
import { type Kit, openKit } from "./kit.ts";

/** The pages of a server that users can reach. */
export type PageName =
  | "signIn"
  | "signInFailed"
  | "consent"
  | "formPost"
  | "selectAccount"
  | "account"
  | "signOut"
  | "signedOut"
  | "device"
  | "deviceConsent"
  | "deviceDone"
  | "error"
  | "notFound"
  | "home";

/** Opens every page, with browsers of one language. */
export async function everyPage(
  language = "en",
  kit: Kit = openKit(),
): Promise<Record<PageName, Page>> {
  const newBrowser = () => Object.assign(kit.browser(), { language });
  const browser = newBrowser();
  const signIn = await browser.open(kit.authorizationUrl());
  const signInFailed = await browser.signIn(signIn, "x", "y");
  const consent = await browser.signIn(signIn);
  const formPost = await browser.open(
    kit.authorizationUrl({ response_mode: "form_post", scope: "admin" }),
  );
  return {
    signIn,
    signInFailed,
    consent,
    formPost,
    selectAccount: await browser.open(kit.authorizationUrl({ prompt: "select_account" })),
    account: await browser.open(`${kit.issuer}/account`),
    signOut: await browser.open(`${kit.issuer}/oauth2/logout`),
    signedOut: await newBrowser().open(`${kit.issuer}/oauth2/logout`),
    device: await browser.open(`${kit.issuer}/device`),
    deviceConsent: await typeCode(kit, browser, (await beginDevice(kit)).body.user_code),
    deviceDone: await answerDevice(kit, (await beginDevice(kit)).body.user_code),
    error: await browser.open(kit.authorizationUrl({ client_id: "nobody" })),
    notFound: await browser.open(`${kit.issuer}/oauth2/interaction/unknown`),
    home: await browser.open(`${kit.issuer}/`),
  };
}
