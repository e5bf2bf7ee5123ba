import type { Lab } from "../../src/lab/control/lab.ts";
import { describeFlow, exchangesOfFlow } from "../../src/lab/flows/describe_flow.ts";
import type { FlowStory } from "../../src/lab/flows/flow_story.ts";
import { challenge, verifier } from "./flow_kit.ts";
import { present } from "./present.ts";
import type { ResponseBody } from "./wire.ts";

/** The issuer of the labs whose flows are drawn. */
export const flowIssuer = "https://hallpass.test";

/** Returns the URL of an authorization request of demo-spa, with a test's changes. */
export function authorizationUrlIn(lab: Lab, changes: Record<string, string> = {}): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "demo-spa",
    redirect_uri: `${lab.issuer}/authorized`,
    scope: "openid read",
    state: "a-state",
    nonce: "a-nonce",
    code_challenge: challenge,
    code_challenge_method: "S256",
    ...changes,
  });
  return `${lab.issuer}/oauth2/authorize?${query}`;
}

/** Signs alice in and returns her code. */
export async function flowCode(lab: Lab, changes: Record<string, string> = {}): Promise<string> {
  const { code } = await lab.authorize(authorizationUrlIn(lab, changes), { user: "alice" });
  return present(code);
}

/** Redeems a code as demo-spa, with a test's changes. */
export function redeemIn(
  lab: Lab,
  code: string,
  changes: Record<string, string> = {},
): Promise<ResponseBody> {
  return tokenIn(lab, {
    grant_type: "authorization_code",
    code,
    redirect_uri: `${lab.issuer}/authorized`,
    code_verifier: verifier,
    ...changes,
  });
}

/** Redeems a refresh token as demo-spa. */
export function refreshIn(lab: Lab, refreshToken: string): Promise<ResponseBody> {
  return tokenIn(lab, { grant_type: "refresh_token", refresh_token: refreshToken });
}

/** Sends a token request of demo-spa. */
export async function tokenIn(lab: Lab, fields: Record<string, string>): Promise<ResponseBody> {
  const response = await lab.fetch(
    new Request(`${lab.issuer}/oauth2/token`, {
      method: "POST",
      body: new URLSearchParams({ client_id: "demo-spa", ...fields }),
    }),
  );
  return await response.json();
}

/** Revokes a token of demo-spa. */
export function revokeIn(lab: Lab, token: string): Promise<Response> {
  const body = new URLSearchParams({ client_id: "demo-spa", token });
  return lab.fetch(new Request(`${lab.issuer}/oauth2/revoke`, { method: "POST", body }));
}

/** Presents an access token to the userinfo endpoint. */
export function userinfoIn(lab: Lab, accessToken: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return lab.fetch(new Request(`${lab.issuer}/oauth2/userinfo`, { headers }));
}

/** Tells the first flow of a lab. */
export function storyIn(lab: Lab): FlowStory {
  const flow = present(lab.flows()[0]);
  return describeFlow(flow, exchangesOfFlow(flow, lab.exchanges()), lab.issuer);
}
