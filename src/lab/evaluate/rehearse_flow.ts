import { browserEndpointUrl } from "../../server/issuer/context.ts";
import { randomSecret } from "../../server/issuer/random.ts";
import { deviceCodeGrantType } from "../../server/protocol/grant_types.ts";
import { type FollowUpFacts, followUpRequest } from "../client_role/follow_up.ts";
import type { EvaluatedRefusal } from "../control/evaluation.ts";
import { startedRedirectUri } from "../lab_server/started_flow.ts";
import { jsonOf } from "../recording/exchange.ts";
import { memberOf } from "../recording/wire_callback.ts";
import { readCallback } from "../tokens/signed_callback.ts";
import { carriedRequest } from "./authorization_members.ts";
import {
  accessMembers,
  type FlowMembers,
  type FlowPlan,
  postAsClient,
  usesDpop,
} from "./flow_plan.ts";
import { type RehearsedExchange, sendRehearsed } from "./send_rehearsed.ts";

/** What came of a flow: its last token request, or a refusal before it. */
export interface RehearsedFlow {
  exchange?: RehearsedExchange;
  refusal?: EvaluatedRefusal | undefined;
  /** What the user allowed; undefined if there was no authorization. */
  authorizedScope?: readonly string[] | undefined;
  usesDpop: boolean;
}

/** Plays a flow up to the token response that is evaluated. */
export async function rehearseFlow(plan: FlowPlan): Promise<RehearsedFlow> {
  switch (plan.grant) {
    case "client_credentials":
      return await finish(plan, [["grant_type", plan.grant], ...accessMembers(plan.options)]);
    case deviceCodeGrantType:
      return await rehearseDevice(plan);
    default:
      return await rehearseCode(plan);
  }
}

/** Sends the token request that ends a flow. */
async function finish(plan: FlowPlan, members: FlowMembers): Promise<RehearsedFlow> {
  const isBound = usesDpop(plan);
  const exchange = await postAsClient(plan, {
    endpoint: "token_endpoint",
    members,
    usesDpop: isBound,
  });
  return { exchange, refusal: exchange.refusal, usesDpop: isBound };
}

async function rehearseDevice(plan: FlowPlan): Promise<RehearsedFlow> {
  const members = accessMembers(plan.options);
  const begun = await postAsClient(plan, { endpoint: "device_authorization_endpoint", members });
  const { device_code, verification_uri_complete } = jsonOf(begun.response) ?? {};
  if (begun.refusal) return { refusal: begun.refusal, usesDpop: usesDpop(plan) };
  const page = await open(plan, String(verification_uri_complete));
  if (page.refusal) return { refusal: page.refusal, usesDpop: usesDpop(plan) };
  const flow = await finish(plan, [
    ["grant_type", deviceCodeGrantType],
    ["device_code", String(device_code)],
  ]);
  return { ...flow, authorizedScope: authorizedScope(page) ?? authorizedScope(begun) };
}

/** Opens a page in the browser of the user. */
async function open({ rehearsal: { server } }: FlowPlan, url: string): Promise<RehearsedExchange> {
  const request = { method: "GET", url, headers: {}, form: new URLSearchParams() } as const;
  return await sendRehearsed(server, request);
}

async function rehearseCode(plan: FlowPlan): Promise<RehearsedFlow> {
  const { rehearsal: { server: { context, issuer } }, client: { known, config }, grant } = plan;
  const codeVerifier = randomSecret(context);
  const { frontChannelUrl } = context.settings;
  const redirectUri = known.redirectUris[0] ?? startedRedirectUri(frontChannelUrl, config);
  const carried = await carriedRequest(plan, redirectUri, codeVerifier);
  if ("refusal" in carried) return { refusal: carried.refusal, usesDpop: usesDpop(plan) };
  const endpoint = browserEndpointUrl(context, "authorization_endpoint");
  const authorized = await open(plan, `${endpoint}?${new URLSearchParams(carried.members)}`);
  const code = memberOf(readCallback(authorized.response, issuer), "code");
  if (code === undefined) {
    return { refusal: authorized.refusal ?? askedRefusal(authorized), usesDpop: usesDpop(plan) };
  }
  const facts: FollowUpFacts = {
    flow: { clientId: known.id, redirectUri, codeVerifier, browser: "", usesDpop: usesDpop(plan) },
    client: config,
    code,
  };
  const exchange = await followUp(plan, "exchange", facts);
  const flow = { usesDpop: usesDpop(plan), authorizedScope: authorizedScope(authorized) };
  if (grant !== "refresh_token" || exchange.refusal) {
    return { ...flow, exchange, refusal: exchange.refusal };
  }
  // Without a refresh token, the server says why the client may not refresh.
  const { refresh_token: refreshToken = "none" } = jsonOf(exchange.response) ?? {};
  const refreshed = await followUp(plan, "refresh", {
    ...facts,
    refreshToken: String(refreshToken),
  });
  return { ...flow, exchange: refreshed, refusal: refreshed.refusal };
}

async function followUp(
  { rehearsal: { server } }: FlowPlan,
  name: "exchange" | "refresh",
  facts: FollowUpFacts,
): Promise<RehearsedExchange> {
  const request = await followUpRequest(server.context, name, facts);
  if (!request) throw new Error(`The request '${name}' of a rehearsal lacks what it presents.`);
  return await sendRehearsed(server, request);
}

function authorizedScope({ events }: RehearsedExchange): readonly string[] | undefined {
  const decided = events.findLast(({ type }) => type === "code.issued" || type === "consent.given");
  return decided && "scope" in decided ? decided.scope : undefined;
}

/** The server asks something that no answer in place of the user covers. */
function askedRefusal({ request }: RehearsedExchange): EvaluatedRefusal {
  return {
    at: `GET ${request.path}`,
    error: "interaction_required",
    description: "The server would show the user another page before it issues a code.",
    fix: "Leave 'prompt' out.",
  };
}
