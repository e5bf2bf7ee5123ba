import { type FlowKit, read, type ReadResponse } from "./flow_kit.ts";
import type { ClientDoor } from "./test_client.ts";

export const initialAccessToken = "an-initial-access-token-of-32-characters";

export const redirectUri = "https://app.example/cb";

/** Sends JSON, as registration expects it. */
export async function sendJson(
  kit: FlowKit,
  method: string,
  url: string,
  body?: unknown,
  token?: string,
): Promise<ReadResponse> {
  const headers = {
    "Content-Type": "application/json",
    ...token !== undefined && { Authorization: `Bearer ${token}` },
  };
  return await read(
    await kit.server.fetch(
      new Request(url, { method, headers, body: JSON.stringify(body) ?? null }),
    ),
  );
}

/** Registers a public client of app.example, with a test's changes. */
export function register(
  kit: FlowKit,
  changes: object = {},
  token?: string,
): Promise<ReadResponse> {
  const metadata = {
    redirect_uris: [redirectUri],
    token_endpoint_auth_method: "none",
    client_name: "App",
    ...changes,
  };
  return sendJson(kit, "POST", `${kit.issuer}/oauth2/register`, metadata, token);
}

/** Registers a client with these metadata at any server. */
export async function registerAt(
  { issuer, fetch }: Pick<ClientDoor, "issuer" | "fetch">,
  metadata: object,
): Promise<ReadResponse> {
  const headers = { "Content-Type": "application/json" };
  const init = { method: "POST", headers, body: JSON.stringify(metadata) };
  return await read(await fetch(new Request(`${issuer}/oauth2/register`, init)));
}
