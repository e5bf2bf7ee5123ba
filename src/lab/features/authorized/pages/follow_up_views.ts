import {
  findFollowUpUrl,
  type FollowUpFacts,
  type FollowUpName,
  followUpRequest,
  followUps,
} from "../../../client_role/follow_up.ts";
import type { PlayedFlow } from "../../../client_role/played_flow.ts";
import { codeOf, type RequestCode } from "../../../client_role/request_code.ts";
import type { CoreLab } from "../../../core/core_lab.ts";
import { toCurl } from "../../../flows/curl.ts";
import { flowPath } from "../../../flows/flow_source.ts";
import { type FoundToken, tokensIn } from "../../../pages/flows/tokens_in.ts";
import type { Exchange } from "../../../recording/exchange.ts";
import { followUpFacts, type ReceivedCallback } from "./received_callback.ts";

/** One of the requests that follow, as the page shows it. */
export interface FollowUpView {
  name: FollowUpName;
  /** The client that sends it. */
  sender: string;
  /** The command that sends it; undefined while the token for it is missing. */
  curl: string | undefined;
  /** The programs that send the token request. */
  codes?: readonly RequestCode[] | undefined;
  /** How the latest such request of the flow ended, by hand or from a program. */
  latest: ShownResponse | undefined;
}

/** The response to such a request. */
export interface ShownResponse {
  status: number | undefined;
  isGood: boolean;
  body: string;
  /** The path of the page that shows the exchange in its flow. */
  path: string;
  tokens: readonly FoundToken[];
}

/** Returns the requests that follow; none unless the lab may send them. */
export async function followUpViews(
  lab: CoreLab,
  received: ReceivedCallback,
): Promise<FollowUpView[]> {
  const facts = followUpFacts(lab, received);
  if (!facts) return [];
  const possible = followUps.filter((name) => findFollowUpUrl(lab, name) !== undefined);
  return await Promise.all(possible.map((name) => viewOf(lab, { name, facts, received })));
}

interface ViewSources {
  name: FollowUpName;
  facts: FollowUpFacts;
  received: ReceivedCallback;
}

async function viewOf(lab: CoreLab, { name, facts, received }: ViewSources): Promise<FollowUpView> {
  const { client, introspector = client, code } = facts;
  const request = await followUpRequest(lab, name, facts);
  const latest = received.played && latestExchange(received.played, name, code);
  return {
    name,
    sender: name === "introspect" ? introspector.id : client.id,
    curl: request && toCurl({ ...request, body: request.form.toString() }),
    codes: name === "exchange" && request ? codeOf(request) : undefined,
    latest: latest && await shownResponse(lab, latest),
  };
}

function latestExchange(
  { source: { exchanges } }: PlayedFlow,
  name: FollowUpName,
  code: string,
): Exchange | undefined {
  return exchanges.findLast(({ request: { endpoint, form } }) => {
    if (name === "exchange") return endpoint === "token" && form.get("code") === code;
    if (name === "refresh") return endpoint === "token" && form.has("refresh_token");
    return endpoint === name;
  });
}

async function shownResponse(lab: CoreLab, exchange: Exchange): Promise<ShownResponse> {
  const { id, response } = exchange;
  const tokens = await tokensIn(lab, exchange);
  return {
    status: response?.status,
    isGood: response?.status === 200,
    body: response?.body ?? "",
    path: flowPath(lab, id),
    tokens: tokens.filter(({ part }) => part === "response"),
  };
}
