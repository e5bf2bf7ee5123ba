// The server under test, and what the suites share. `deno task suites` starts the server.
import { type Browser, createBrowser } from "../../support/browser.ts";
import { present } from "../../support/present.ts";

/** The issuer of the running server. */
export const issuer: string = present(process.env.HALLPASS_ISSUER);

const initialAccessToken = present(process.env.HALLPASS_INITIAL_ACCESS_TOKEN);

/** The user who signs in. */
export const user = { user: "alice", password: "alice-has-a-password" };

/** A client as the server has registered it. */
export interface RegisteredClient {
  client_id: string;
  client_secret?: string;
}

/** Registers a client, which the server then trusts like a configured one. */
export async function register(metadata: object): Promise<RegisteredClient> {
  const response = await fetch(`${issuer}/oauth2/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${initialAccessToken}` },
    body: JSON.stringify(metadata),
  });
  if (response.status !== 201) throw new Error(await response.text());
  return await response.json();
}

/** A browser without a screen. What leaves the server is returned, not opened. */
export function browser(): Browser {
  return createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(`${issuer}/`),
  );
}

/** Signs the user in, and returns the URL of the callback. */
export async function authorize(url: URL | string): Promise<URL> {
  return new URL(await browser().authorize(`${url}`, user));
}
