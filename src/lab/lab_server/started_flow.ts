import type { ClientConfig } from "../../server/features.ts";
import type { Table } from "../../server/issuer/records/table.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { redirectUriMatches } from "../../server/protocol/redirect_uri.ts";

/** A flow that the lab started itself, in the role of the client. */
export interface StartedFlow {
  clientId: string;
  redirectUri: string;
  /** What the token request proves; undefined for a flow without PKCE. */
  codeVerifier?: string | undefined;
  /** The hash of the browser that started it; a flow of the terminal belongs to any browser. */
  browser?: string | undefined;
  /** Whether the code and the tokens are bound to the demo key (RFC 9449). */
  usesDpop: boolean;
}

const callbackPath = "/authorized";

/** The paths of the lab that can be the redirect URI of a client. */
export const callbackPaths: readonly string[] = [callbackPath, "/callback"];

/** Where the lab starts a flow. */
export const startPaths: readonly string[] = ["/start", `${callbackPath}/start`];

/** Returns where a flow of a client ends that the lab starts: at one of the lab's own pages. */
export function startedRedirectUri(frontChannelUrl: string, client: ClientConfig): string {
  return ownRedirectUri(frontChannelUrl, client) ?? issuerUrl(frontChannelUrl, callbackPath);
}

/** Returns the redirect URI of a client that leads to the lab itself, if it has one. */
export function ownRedirectUri(frontChannelUrl: string, client: ClientConfig): string | undefined {
  const own = callbackPaths.map((path) => issuerUrl(frontChannelUrl, path));
  return own.find((uri) =>
    client.redirectUris?.some((registered) =>
      redirectUriMatches(registered, uri, client.native ?? false)
    )
  );
}

/** Finds the flow of a callback, but only for the browser that started it. */
export async function findStartedFlow(
  flows: Table<StartedFlow>,
  state: string | undefined,
  browser: string | undefined,
): Promise<StartedFlow | undefined> {
  const flow = state === undefined ? undefined : await flows.find(state);
  return flow?.browser === undefined || flow.browser === browser ? flow : undefined;
}
