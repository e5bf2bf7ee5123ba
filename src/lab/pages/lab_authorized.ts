import { authorizedProps } from "../../endpoints/authorized.ts";
import { pageResponse } from "../../endpoints/responses/page_response.ts";
import type { Endpoint } from "../../endpoints/route.ts";
import { readQuery } from "../../http/body.ts";
import type { Context } from "../../issuer/context.ts";
import type { Table } from "../../issuer/records/table.ts";
import { findBrowser } from "../../issuer/sessions/browsers.ts";
import type { ClientConfig } from "../../model/client_config.ts";
import type { AuthorizedProps } from "../../pages/authorized.tsx";
import { type Callback, readCallback } from "../../protocol/callback.ts";
import { demoPublicKey } from "../demo/demo_key.ts";
import { signDemoProofs } from "../demo/demo_proofs.ts";
import { findFlow, type Flow, ownRedirectUri } from "./flows.ts";

/**
 * Shows the callback of a client, with the verifier if the lab started the flow for this browser.
 */
export function authorizedEndpoint(flows: Table<Flow>, clients: readonly ClientConfig[]): Endpoint {
  return async (ctx, request) => {
    const { issuer, pages } = ctx.settings;
    const callback = readCallback(readQuery(request));
    const browser = await findBrowser(ctx, request);
    const flow = await findFlow(flows, callback.state, browser?.hash);
    const props = {
      ...authorizedProps(ctx, flow ? checkIssuer(callback, issuer) : callback),
      startAgain: startUrl(ctx, flow, clients),
    };
    if (!flow || props.hasError) return pageResponse(pages.authorized(props));
    return pageResponse(pages.authorized({ ...props, ...await requestOf(ctx, flow, clients) }));
  };
}

/** Returns the URL that starts a flow of the same client, or else of the first one. */
function startUrl(
  { settings: { base, frontChannelUrl } }: Context,
  flow: Flow | undefined,
  clients: readonly ClientConfig[],
): string {
  const startable = clients.find((client) => ownRedirectUri(frontChannelUrl, client));
  const id = flow?.clientId ?? startable?.id ?? "";
  return `${base}/start?client_id=${encodeURIComponent(id)}`;
}

/** Returns what the page needs to print the token request of a flow. */
async function requestOf(
  ctx: Context,
  { clientId, redirectUri, codeVerifier }: Flow,
  clients: readonly ClientConfig[],
): Promise<Partial<AuthorizedProps>> {
  const client = clients.find(({ id }) => id === clientId);
  const proofs = client?.jwks?.keys.includes(demoPublicKey)
    ? await signDemoProofs(ctx, clientId)
    : undefined;
  return { clientId, clientSecret: client?.secret, redirectUri, codeVerifier, proofs };
}

/** A response that names a different issuer is a mix-up attack (RFC 9207, section 2.4). */
function checkIssuer(callback: Callback, issuer: string): Callback {
  if (callback.issuer === issuer) return callback;
  const received = callback.issuer === undefined ? "names none" : `names '${callback.issuer}'`;
  return {
    hasError: true,
    error: "invalid_request",
    errorDescription: `The response must name the issuer '${issuer}', but ${received}.`,
    state: callback.state,
  };
}
