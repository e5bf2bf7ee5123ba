import { fixturesOf } from "../features.ts";
import type { Browser, Page } from "./browser.ts";
import { type Kit, openKit } from "./kit.ts";

/** The pages of a server that users can reach. */
export type PageName =
  | "signIn"
  | "signInFailed"
  | "consent"
  | "formPost"
  | "selectAccount"
  | "error"
  | "notFound"
  | "home";

/** Opens every page, with browsers of one language. */
export async function everyPage(
  language = "en",
  kit: Kit = openKit(),
): Promise<Record<PageName, Page> & Record<string, Page>> {
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
    ...await pagesOfFeatures(kit, browser),
    error: await browser.open(kit.authorizationUrl({ client_id: "nobody" })),
    notFound: await browser.open(`${kit.issuer}/oauth2/interaction/unknown`),
    home: await browser.open(`${kit.issuer}/`),
  };
}

/** Opens the pages of features, one after the other: they share the browser. */
async function pagesOfFeatures(kit: Kit, browser: Browser): Promise<Record<string, Page>> {
  const pages: Record<string, Page> = {};
  for (const [name, { open }] of Object.entries(fixturesOf("pages"))) {
    pages[name] = await open(kit, browser);
  }
  return pages;
}
