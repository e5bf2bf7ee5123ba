import type { ClientConfig } from "../../../server/features.ts";
import { findClient } from "../../../server/issuer/clients/clients.ts";
import { abilitiesOf, type ClientAbilities } from "../../client_role/client_abilities.ts";
import { type FlowOptions, readFlowOptions } from "../../client_role/flow_options.ts";
import { offeredProtection, type Protection } from "../../client_role/offered_protection.ts";
import { codeOf, type RequestCode } from "../../client_role/request_code.ts";
import { type PreviewedMessage, previewRequest } from "../../client_role/request_preview.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import { previewTokenRequest } from "../../client_role/token_request_preview.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { ownRedirectUri, startedRedirectUri } from "../../lab_server/started_flow.ts";

/** A flow that can be started, as far as the user has chosen it. */
export interface FlowDraft {
  /** The clients that can be chosen. */
  clients: readonly ClientConfig[];
  abilities: ClientAbilities;
  options: FlowOptions;
  /** The ways of protection that can be chosen. */
  offered: ReadonlySet<Protection>;
  messages: readonly PreviewedMessage[];
  /** The programs that send the token request at the end. */
  codes: readonly RequestCode[];
}

/** Reads the choices in the query of the home page. */
export async function readFlowDraft(
  lab: CoreLab,
  query: URLSearchParams,
): Promise<FlowDraft | undefined> {
  const { context: ctx } = lab;
  const clients = startableClients(lab);
  const chosen = clients.find(({ id }) => id === query.get("client_id")) ?? clients[0];
  const client = chosen && await findClient(ctx, chosen.id);
  if (!client) return undefined;
  const { frontChannelUrl } = ctx.settings;
  const redirectUri = startedRedirectUri(frontChannelUrl, chosen);
  const abilities = abilitiesOf(client, ownRedirectUri(frontChannelUrl, chosen) !== undefined);
  const options = readFlowOptions(query, abilities);
  const tokenRequest = await previewTokenRequest(lab, chosen, options, redirectUri);
  return {
    clients,
    abilities,
    options,
    offered: offeredProtection(lab),
    messages: previewRequest(lab, options, redirectUri),
    codes: codeOf(tokenRequest),
  };
}
