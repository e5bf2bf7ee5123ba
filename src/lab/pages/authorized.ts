import { readQuery } from "../../http/body.ts";
import type { Callback } from "../../protocol/callback.ts";
import { readCallback } from "../../protocol/callback.ts";
import type { ClientConfig } from "../../config/client_config.ts";
import { knownBrowser } from "../../issuer/sessions/browsers.ts";
import type { Table } from "../../issuer/records/table.ts";
import { authorizedProps } from "../../endpoints/authorized.ts";
import type { Endpoint } from "../../endpoints/route.ts";
import { showPage } from "../../endpoints/answers/show_page.ts";
import { demoPublicKey } from "../demo/key.ts";
import { signDemoProofs } from "../demo/proofs.ts";
import type { Flow } from "./flows.ts";
import { findFlow, ownRedirectUri } from "./flows.ts";

/** The client's callback page, which knows the verifier of the flows that the lab started for this browser. */
export function authorizedEndpoint(flows: Table<Flow>, clients: readonly ClientConfig[]): Endpoint {
  return async (ctx, request) => {
    const startable = clients.filter((client) => ownRedirectUri(ctx.settings.frontChannel, client));
    const callback = readCallback(readQuery(request));
    const { issuer, base, pages } = ctx.settings;
    const browser = await knownBrowser(ctx, request);
    const flow = await findFlow(flows, callback.state, browser?.hash);
    const startAgain = `${base}/start?client_id=${encodeURIComponent(flow?.clientId ?? startable[0]?.id ?? "")}`;
    const props = { ...authorizedProps(ctx, flow ? checkIssuer(callback, issuer) : callback), startAgain };
    if (!flow || props.hasError) return showPage(pages.authorized(props));
    const { clientId, redirectUri, codeVerifier } = flow;
    const client = clients.find(({ id }) => id === clientId);
    const proofs = client?.jwks?.keys.includes(demoPublicKey) ? await signDemoProofs(ctx, clientId) : undefined;
    return showPage(pages.authorized({ ...props, clientId, clientSecret: client?.secret, redirectUri, codeVerifier, proofs }));
  };
}

/** An answer from another server than the one that was asked is an attack (RFC 9207, section 2.4). */
function checkIssuer(callback: Callback, issuer: string): Callback {
  if (callback.issuer === issuer) return callback;
  const came = callback.issuer === undefined ? "none came" : `'${callback.issuer}' came`;
  return {
    hasError: true,
    error: "invalid_request",
    errorDescription: `The response should name the issuer '${issuer}'; ${came}.`,
    state: callback.state,
  };
}
