import { type Browser, createBrowser } from "./browser.ts";
import { authorizeIn, type ClientDoor } from "./flow_kit.ts";

/** Returns a server that listens, for test clients and browsers. */
export function serverAt(issuer: string): ClientDoor & { browser(): Browser } {
  const send = (request: Request) => fetch(request, { redirect: "manual" });
  const browser = () => createBrowser(send, (url) => !url.startsWith(`${issuer}/oauth2/`));
  const authorize: ClientDoor["authorize"] = (url, actions) => authorizeIn(browser(), url, actions);
  return { issuer, fetch: send, authorize, browser };
}
