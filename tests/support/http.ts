import { type Browser, createBrowser, type UserActions } from "./browser.ts";
import { challenge, encode, type Fields, read, type ReadResponse, verifier } from "./flow_kit.ts";
import { present } from "./present.ts";

/** Creates a browser that sends its requests over the network. */
export function connectedBrowser(issuer: string): Browser {
  return createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(`${issuer}/oauth2/`),
  );
}

/** Gets a code for demo-spa from a running lab. */
export async function fetchCode(issuer: string, actions?: UserActions): Promise<string> {
  const query = encode({
    response_type: "code",
    client_id: "demo-spa",
    redirect_uri: `${issuer}/authorized`,
    scope: "openid profile read",
    state: "s",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const callback = await connectedBrowser(issuer).authorize(
    `${issuer}/oauth2/authorize?${query}`,
    actions,
  );
  return present(new URL(callback).searchParams.get("code"));
}

export async function postForm(url: string, fields: Fields): Promise<ReadResponse> {
  return await read(await fetch(url, { method: "POST", body: encode(fields) }));
}

/** Redeems a code for demo-spa at a running lab. */
export function fetchTokens(issuer: string, code: string): Promise<ReadResponse> {
  const fields = {
    grant_type: "authorization_code",
    code,
    redirect_uri: `${issuer}/authorized`,
    code_verifier: verifier,
    client_id: "demo-spa",
  };
  return postForm(`${issuer}/oauth2/token`, fields);
}
