import type { ClientConfig } from "../../src/server/features.ts";
import type { Browser, Page } from "../support/browser.ts";
import type { Fields } from "../support/flow_kit.ts";
import { logoutUrl } from "../support/logout.ts";
import { openSuite, type Registration, type Suite } from "./suite.ts";

export const returnUri = "https://suite.example/post_logout_redirect";

/** A suite whose user has signed in. */
export interface SignedInSuite extends Suite {
  browser: Browser;
  idToken: string;
  /** The bodies of the requests that the server sent to the suite. */
  received: URLSearchParams[];
}

/** Opens a suite whose client may take part in logouts, and signs its user in. */
export async function openSignedIn(
  registration: Registration,
  client: Partial<ClientConfig> = {},
): Promise<SignedInSuite> {
  const received: URLSearchParams[] = [];
  const suite = await openSuite({
    registration,
    client: { postLogoutRedirectUris: [returnUri], ...client },
    fetch: async (_, { body = "" }) => {
      received.push(new URLSearchParams(body));
      return new Response();
    },
  });
  const browser = suite.kit.browser();
  const { id_token } = await suite.tokens({}, browser);
  return { ...suite, browser, idToken: id_token, received };
}

/** Opens the logout endpoint as the suite does; a value that is undefined is left out. */
export function logOut(
  { kit, browser, idToken }: SignedInSuite,
  changes: Fields = {},
): Promise<Page> {
  const fields = { id_token_hint: idToken, post_logout_redirect_uri: returnUri, state: "a-state" };
  return browser.open(logoutUrl(kit, { ...fields, ...changes }));
}

/** Whether the user of the suite is still signed in. */
export async function isSignedIn({ authorize, browser }: SignedInSuite): Promise<boolean> {
  const { parameters } = await authorize({ prompt: "none" }, browser);
  return parameters.has("code");
}
