import { cibaGrantType, deviceCodeGrantType } from "../../src/server/protocol/grant_types.ts";
import { basic, encode, type Fields, testClient, verifier } from "../support/kit.ts";
import { initialAccessToken, type NodeResponse, type ServerNode } from "./server_node.ts";

/** The redirect URI of every client. */
export const redirectUri = "https://app.example/callback";

/** Returns the secret of a client that was added to the store. */
export function secretOf(client: string): string {
  return `${client}-secret-of-22-characters`;
}

/** Sends a form as a client. */
export function postAs(
  { send }: ServerNode,
  client: string,
  path: string,
  fields: Fields,
): Promise<NodeResponse> {
  return send(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      ...basic(client, secretOf(client)),
    },
    body: encode(fields).toString(),
  });
}

/** Redeems a code as a client. */
export function redeemCode(
  node: ServerNode,
  client: string,
  code: string,
  changes: Fields = {},
): Promise<NodeResponse> {
  return postAs(node, client, "/oauth2/token", {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...changes,
  });
}

/** Redeems a device code as a client. */
export function redeemDeviceCode(
  node: ServerNode,
  client: string,
  device_code: string,
): Promise<NodeResponse> {
  return postAs(node, client, "/oauth2/token", { grant_type: deviceCodeGrantType, device_code });
}

/** Asks a user over the back channel, as a client. */
export function askUser(
  node: ServerNode,
  client: string,
  login_hint: string,
): Promise<NodeResponse> {
  const fields = { scope: "openid read", login_hint };
  return postAs(node, client, "/oauth2/backchannel_authentication", fields);
}

/** Redeems an auth_req_id as a client. */
export function redeemAuthReqId(
  node: ServerNode,
  client: string,
  auth_req_id: string,
): Promise<NodeResponse> {
  return postAs(node, client, "/oauth2/token", { grant_type: cibaGrantType, auth_req_id });
}

/** Redeems a refresh token as a client. */
export function redeemRefreshToken(
  node: ServerNode,
  client: string,
  refresh_token: string,
): Promise<NodeResponse> {
  return postAs(node, client, "/oauth2/token", { grant_type: "refresh_token", refresh_token });
}

/** Sends a form of a page with the cookies of a browser. */
export function postForm(
  { send }: ServerNode,
  cookies: string,
  path: string,
  fields: Record<string, string>,
): Promise<NodeResponse> {
  return send(path, {
    method: "POST",
    headers: { "Content-Type": "application/x-www-form-urlencoded", Cookie: cookies },
    body: new URLSearchParams(fields).toString(),
  });
}

/** Sends JSON with a token, as registration expects it. */
export function sendJson(
  { send }: ServerNode,
  method: string,
  path: string,
  token: string,
  body?: object,
): Promise<NodeResponse> {
  return send(path, {
    method,
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
    ...body && { body: JSON.stringify(body) },
  });
}

/** Registers a client with the initial access token. */
export function registerClient(node: ServerNode, client_name: string): Promise<NodeResponse> {
  const metadata = { redirect_uris: [redirectUri], client_name };
  return sendJson(node, "POST", "/oauth2/register", initialAccessToken, metadata);
}

/** Returns the path of an authorization request of a client. */
export function authorizationPath(client: string, changes: Fields = {}): string {
  const options = { client_id: client, redirect_uri: redirectUri, scope: "read" };
  return testClient(options).authorizationUrl({ issuer: "" }, changes);
}
