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
 * Shows the authorization response that a client received. If the lab started the flow in this
 * browser, the page also shows the token request.
 */
export function authorizedEndpoint(flows: Table<Flow>, clients: readonly ClientConfig[]): Endpoint {
  return async (ctx, request) => {
    const { issuer, pages } = ctx.settings;
    const callback = readCallback(readQuery(request));
    const browser = await findBrowser(ctx, request);
    const flow = await findFlow(flows, callback.state, browser?.hash);
    // Without a flow of its own, the lab cannot know which issuer the client expects.
    const checkedCallback = flow ? rejectOtherIssuer(callback, issuer) : callback;
    const props = {
      ...authorizedProps(ctx, request, checkedCallback),
      startAgain: startUrl(ctx, flow, clients),
    };
    if (!flow || props.hasError) return pageResponse(pages.authorized(props));
    return pageResponse(
      pages.authorized({ ...props, ...await tokenRequestProps(ctx, flow, clients) }),
    );
  };
}

/** Returns the URL that starts a flow of the same client, or of the first one that can start. */
function startUrl(
  { settings: { base, frontChannelUrl } }: Context,
  flow: Flow | undefined,
  clients: readonly ClientConfig[],
): string {
  const firstClient = clients.find((client) => ownRedirectUri(frontChannelUrl, client));
  const id = flow?.clientId ?? firstClient?.id ?? "";
  return `${base}/start?client_id=${encodeURIComponent(id)}`;
}

/** Returns what the page needs to print the token request of a flow. */
async function tokenRequestProps(
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

/** Replaces a response of another issuer with an error: it may be a mix-up attack (RFC 9207, section 2.4). */
function rejectOtherIssuer(callback: Callback, issuer: string): Callback {
  if (callback.issuer === issuer) return callback;
  const received = callback.issuer === undefined ? "names none" : `names '${callback.issuer}'`;
  return {
    hasError: true,
    error: "invalid_request",
    errorDescription: `The response must name the issuer '${issuer}', but ${received}.`,
    state: callback.state,
  };
}
