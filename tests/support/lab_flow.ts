import { describeFlow, exchangesOfFlow } from "../../src/lab/flows/describe_flow.ts";
import type { FlowStory } from "../../src/lab/flows/flow_story.ts";
import type { Lab } from "../../src/lab/lab.ts";
import { present } from "./present.ts";
import { type Fields, type ReadResponse, testClient } from "./test_client.ts";
import type { ResponseBody } from "./wire.ts";

/** The issuer of the labs whose flows are drawn. */
export const flowIssuer = "https://hallpass.test";

const client = testClient();

/** Returns the URL of an authorization request of demo-spa, with a test's changes. */
export function authorizationUrlIn(lab: Lab, changes: Fields = {}): string {
  return client.authorizationUrl(lab, { nonce: "a-nonce", ...changes });
}

/** Signs alice in and returns her code. */
export function flowCode(lab: Lab, changes: Fields = {}): Promise<string> {
  return client.code(lab, { nonce: "a-nonce", ...changes });
}

/** Redeems a code as demo-spa, with a test's changes. */
export async function redeemIn(
  lab: Lab,
  code: string,
  changes: Fields = {},
): Promise<ResponseBody> {
  return (await client.redeem(lab, code, changes)).body;
}

/** Redeems a refresh token as demo-spa. */
export async function refreshIn(lab: Lab, refreshToken: string): Promise<ResponseBody> {
  return (await client.refresh(lab, refreshToken)).body;
}

/** Sends a token request of demo-spa. */
export async function tokenIn(lab: Lab, fields: Fields): Promise<ResponseBody> {
  return (await client.token(lab, { client_id: "demo-spa", ...fields })).body;
}

/** Revokes a token of demo-spa. */
export function revokeIn(lab: Lab, token: string): Promise<ReadResponse> {
  return client.revoke(lab, token);
}

/** Presents an access token to the userinfo endpoint. */
export function userinfoIn(lab: Lab, accessToken: string): Promise<ReadResponse> {
  return client.userinfo(lab, accessToken);
}

/** Tells the first flow of a lab. */
export function storyIn(lab: Lab): FlowStory {
  const flow = present(lab.flows()[0]);
  return describeFlow(flow, exchangesOfFlow(flow, lab.exchanges()), lab.issuer);
}
