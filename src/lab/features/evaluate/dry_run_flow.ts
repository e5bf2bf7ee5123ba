import { randomSecret } from "../../../server/issuer/random.ts";
import { deviceCodeGrantType } from "../../../server/protocol/grant_types.ts";
import { type FollowUpFacts, followUpRequest } from "../../client_role/follow_up.ts";
import { requireEndpointUrl } from "../../dialect/lab_endpoints.ts";
import { startedRedirectUri } from "../../lab_server/started_flow.ts";
import { jsonOf, type WireRequest } from "../../recording/exchange.ts";
import { memberOf } from "../../recording/wire_callback.ts";
import { callback } from "../../responses/part.ts";
import { carriedRequest } from "./authorization_members.ts";
import type { EvaluatedRefusal } from "./evaluation.ts";
import {
  accessMembers,
  type DryRunExchange,
  type FlowMembers,
  type FlowPlan,
  postAsClient,
  sendDryRun,
  usesDpop,
} from "./flow_plan.ts";

/** What came of a flow: its last token request, or a refusal before it. */
export interface DryRunFlow {
  exchange?: DryRunExchange;
  refusal?: EvaluatedRefusal | undefined;
  /** The authorization request, if there was one. */
  asked?: WireRequest;
  /** What the user allowed; undefined if there was no authorization. */
  authorizedScope?: readonly string[] | undefined;
}

/** Plays a flow up to the token response that is evaluated. */
export async function dryRunFlow(plan: FlowPlan): Promise<DryRunFlow> {
  switch (plan.grant) {
    case "client_credentials":
      return await finish(plan, [["grant_type", plan.grant], ...accessMembers(plan.options)]);
    case deviceCodeGrantType:
      return await dryRunDevice(plan);
    default:
      return await dryRunCode(plan);
  }
}

/** Sends the token request that ends a flow. */
async function finish(plan: FlowPlan, members: FlowMembers): Promise<DryRunFlow> {
  const exchange = await postAsClient(plan, {
    endpoint: "token_endpoint",
    members,
    usesDpop: usesDpop(plan),
  });
  return { exchange, refusal: exchange.refusal };
}

async function dryRunDevice(plan: FlowPlan): Promise<DryRunFlow> {
  const members = accessMembers(plan.options);
  const begun = await postAsClient(plan, { endpoint: "device_authorization_endpoint", members });
  const { device_code, verification_uri_complete } = jsonOf(begun.response) ?? {};
  if (begun.refusal) return { refusal: begun.refusal };
  const page = await open(plan, String(verification_uri_complete));
  if (page.refusal) return { refusal: page.refusal };
  const flow = await finish(plan, [
    ["grant_type", deviceCodeGrantType],
    ["device_code", String(device_code)],
  ]);
  return { ...flow, authorizedScope: authorizedScope(page) ?? authorizedScope(begun) };
}

/** Opens a page in the browser of the user. */
async function open({ dryRun }: FlowPlan, url: string): Promise<DryRunExchange> {
  const request = { method: "GET", url, headers: {}, form: new URLSearchParams() } as const;
  return await sendDryRun(dryRun, request);
}

async function dryRunCode(plan: FlowPlan): Promise<DryRunFlow> {
  const { dryRun: { server }, client: { known, config } } = plan;
  const { context } = server;
  const codeVerifier = randomSecret(context);
  const { frontChannelUrl } = context.settings;
  const redirectUri = known.redirectUris[0] ?? startedRedirectUri(frontChannelUrl, config);
  const carried = await carriedRequest(plan, redirectUri, codeVerifier);
  if ("refusal" in carried) return { refusal: carried.refusal };
  const endpoint = requireEndpointUrl(server, "authorization_endpoint");
  const authorized = await open(plan, `${endpoint}?${new URLSearchParams(carried.members)}`);
  const code = memberOf(callback.read(authorized.response, server), "code");
  if (code === undefined) return { refusal: authorized.refusal ?? askedRefusal(authorized) };
  const flow = { clientId: known.id, redirectUri, codeVerifier, browser: "" };
  const facts = { flow: { ...flow, usesDpop: usesDpop(plan) }, client: config, code };
  const redeemed = await redeemCode(plan, facts);
  return { ...redeemed, asked: authorized.request, authorizedScope: authorizedScope(authorized) };
}

/** Exchanges a code, and refreshes the tokens once if the plan is about that. */
async function redeemCode(plan: FlowPlan, facts: FollowUpFacts): Promise<DryRunFlow> {
  const exchange = await followUp(plan, "exchange", facts);
  if (plan.grant !== "refresh_token" || exchange.refusal) {
    return { exchange, refusal: exchange.refusal };
  }
  // Without a refresh token, the server says why the client may not refresh.
  const { refresh_token: refreshToken = "none" } = jsonOf(exchange.response) ?? {};
  const refreshed = await followUp(plan, "refresh", {
    ...facts,
    refreshToken: String(refreshToken),
  });
  return { exchange: refreshed, refusal: refreshed.refusal };
}

async function followUp(
  { dryRun }: FlowPlan,
  name: "exchange" | "refresh",
  facts: FollowUpFacts,
): Promise<DryRunExchange> {
  const request = await followUpRequest(dryRun.server, name, facts);
  if (!request) throw new Error(`The request '${name}' of a dry run lacks what it presents.`);
  return await sendDryRun(dryRun, request);
}

function authorizedScope({ events }: DryRunExchange): readonly string[] | undefined {
  const decided = events.findLast(({ type }) => type === "code.issued" || type === "consent.given");
  return decided && "scope" in decided ? decided.scope : undefined;
}

/** Returns the refusal for a page on which the user would have to do more than sign in. */
function askedRefusal({ request }: DryRunExchange): EvaluatedRefusal {
  return {
    at: `GET ${request.path}`,
    error: "interaction_required",
    description: "The server would show the user another page before it issues a code.",
    fix: "Leave 'prompt' out.",
  };
}
