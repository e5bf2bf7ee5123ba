import type { ClientConfig } from "../../../server/features.ts";
import type { HeaderList } from "../../../server/http/response_data.ts";
import { findClient } from "../../../server/issuer/clients/clients.ts";
import type { RequestContext } from "../../../server/issuer/context.ts";
import { day } from "../../../server/util/time/duration.ts";
import {
  abilitiesOf,
  type ClientAbilities,
  offeredProtection,
  type Protection,
} from "../../client_role/client_abilities.ts";
import { type FlowOptions, readFlowOptions } from "../../client_role/flow_options.ts";
import { type PreviewedMessage, previewRequest } from "../../client_role/request_preview.ts";
import { startableClients } from "../../client_role/start_flow.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { startedRedirectUri } from "../../lab_server/started_flow.ts";
import { labCookies } from "../page/page_guard.ts";

const cookie = "lab-choice";
const lifetime = 30 * day;
/** A browser keeps 4,096 bytes with the name and the attributes. */
const maxLength = 3000;

/** What a query string in a cookie consists of. */
const encoded = /^[\w.*%+&=-]+$/;

/** A flow that can be started, as far as the user has chosen it. */
export interface FlowDraft {
  /** The clients that can be chosen. */
  clients: readonly ClientConfig[];
  abilities: ClientAbilities;
  options: FlowOptions;
  /** The ways of protection that can be chosen. */
  offered: ReadonlySet<Protection>;
  messages: readonly PreviewedMessage[];
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
  const abilities = abilitiesOf(client);
  const options = readFlowOptions(query, abilities);
  return {
    clients,
    abilities,
    options,
    offered: offeredProtection(lab),
    messages: previewRequest(lab, options, redirectUri),
  };
}

/**
 * Returns the header that remembers the choices of a form, which work without scripts. A link
 * without the form's mark, and one of another site, changes nothing.
 */
export function rememberChoice(ctx: RequestContext, query: URLSearchParams): HeaderList {
  const text = query.toString();
  const isForeign = ctx.request.headers.get("Sec-Fetch-Site") === "cross-site";
  const isKept = query.has("chosen") && !isForeign && text.length <= maxLength &&
    encoded.test(text);
  return isKept ? [labCookies(ctx).write(cookie, text, lifetime)] : [];
}

/** Finds the choices with which the browser started its last flow. */
export function findRememberedChoice(ctx: RequestContext): URLSearchParams | undefined {
  const text = labCookies(ctx).read(ctx.request.headers, cookie);
  return text === undefined ? undefined : new URLSearchParams(text);
}
