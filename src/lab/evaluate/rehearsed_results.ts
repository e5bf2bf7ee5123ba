import type { ResponseData } from "../../server/http/response_data.ts";
import type { Claims } from "../../server/model/claims.ts";
import type { InternalServer } from "../../server/server.ts";
import {
  findFollowUpUrl,
  type FollowUpFacts,
  type FollowUpName,
  followUpRequest,
  introspectorFor,
} from "../client_role/follow_up.ts";
import type { EvaluatedRefusal } from "../control/evaluation.ts";
import { findEndpointUrl } from "../dialect/lab_endpoints.ts";
import type { ScopedRequest } from "../faults/flow_scope.ts";
import type { ApplyHooks } from "../hooks/fire_hooks.ts";
import {
  jsonOf,
  readWireResponse,
  type WireRequest,
  type WireResponse,
  withWholeBody,
} from "../recording/exchange.ts";
import { readToken } from "../tokens/signed_tokens.ts";
import { type FlowPlan, usesDpop } from "./flow_plan.ts";
import type { RehearsedFlow } from "./rehearse_flow.ts";
import { endpointsOf, type RehearsedParts } from "./rehearsed_parts.ts";
import { type RehearsedExchange, sendRehearsed } from "./send_rehearsed.ts";
import { membersOf } from "./token_response.ts";

/** The claims of a token or response, before and after what changes them. */
export interface HookedClaims {
  /** Of a token. */
  format?: "jwt" | "opaque" | undefined;
  /** As the server made them. */
  issued: Claims;
  /** In the shape of the provider that the lab plays. */
  shaped: Claims;
  /** As the hooks of the test left them. */
  claims: Claims;
  /** The names of the hooks that fired. */
  hooks: readonly string[];
}

/** What a client would get. */
export interface RehearsedResults {
  /** The token response, and its members. */
  response: WireResponse;
  body: Record<string, unknown>;
  accessToken: HookedClaims | undefined;
  idToken: HookedClaims | undefined;
  userinfo: HookedClaims | EvaluatedRefusal | undefined;
  introspection: HookedClaims | EvaluatedRefusal | undefined;
}

/** Reads the tokens of a flow, and what userinfo and introspection say about them. */
export async function rehearseResults(
  parts: RehearsedParts,
  plan: FlowPlan,
  { exchange, asked }: RehearsedFlow & { exchange: RehearsedExchange },
): Promise<RehearsedResults> {
  const { server } = plan.rehearsal;
  const change = changesOf(parts, plan, asked);
  const issued = await readTokens(server, exchange.response);
  const { shaped, response, fired } = await change(exchange);
  const played = await readTokens(server, shaped);
  const sent = await readTokens(server, response);
  const body = membersOf(response);
  const facts = followUpFacts(parts, plan, body.access_token);
  const source = endpointsOf(parts);
  const followUp = async (name: FollowUpName) => {
    if (findFollowUpUrl(source, name) === undefined) return undefined;
    const request = await followUpRequest(server, name, facts);
    return request &&
      await readResponse(server, await sendRehearsed(plan.rehearsal, request), change);
  };
  const userinfo = findEndpointUrl(source, "userinfo_endpoint") === undefined
    ? () => callUserApi(parts, plan, facts)
    : () => followUp("userinfo");
  const hooksOfAccess = fired.filter((each) => each !== "hook.id_token");
  return {
    response,
    body,
    accessToken: compare([issued.access, played.access, sent.access], hooksOfAccess),
    idToken: compare([issued.id, played.id, sent.id], fired),
    userinfo: plan.options.user === undefined ? undefined : await userinfo(),
    introspection: await followUp("introspect"),
  };
}

/** Calls the API by which a provider without userinfo describes the user. */
async function callUserApi(
  parts: RehearsedParts,
  { rehearsal: { server, dialect } }: FlowPlan,
  facts: FollowUpFacts,
): Promise<HookedClaims | EvaluatedRefusal | undefined> {
  const request = await followUpRequest(endpointsOf(parts), "userinfo", facts);
  if (!request) return undefined;
  const wireRequest = { ...request, path: "", body: "", query: new URLSearchParams() };
  const headers = { authorization: new Headers(request.headers).get("Authorization") ?? "" };
  const response = await dialect?.respond(
    server.context,
    { ...wireRequest, headers },
    { events: [], rules: [] },
  );
  return response && await readApiResponse(request.url, response);
}

async function readApiResponse(
  url: string,
  response: ResponseData,
): Promise<HookedClaims | EvaluatedRefusal> {
  const wireResponse = readWireResponse(await withWholeBody(response));
  const claims = jsonOf(wireResponse) ?? {};
  if (response.status < 300) return { issued: {}, shaped: claims, claims, hooks: [] };
  return {
    at: `GET ${new URL(url).pathname}`,
    error: String(response.status),
    description: `The API of the provider refuses: ${wireResponse.body}`,
  };
}

/** Returns what the requests are made of that present the access token. */
function followUpFacts(
  { server }: RehearsedParts,
  plan: FlowPlan,
  accessToken: unknown,
): FollowUpFacts {
  const { known, config } = plan.client;
  return {
    flow: { clientId: known.id, redirectUri: "", usesDpop: usesDpop(plan) },
    client: config,
    introspector: introspectorFor(config, server.clients.list()),
    code: "",
    accessToken: typeof accessToken === "string" ? accessToken : undefined,
  };
}

/** A response in the shape of the provider, and as the hooks of the test left it. */
interface RehearsedResponse extends Awaited<ReturnType<ApplyHooks>> {
  shaped: WireResponse;
}

type ChangeResponse = (exchange: RehearsedExchange) => Promise<RehearsedResponse>;

/**
 * Returns what changes responses: the dialect, then hooks that are limited to the client. None that
 * are limited to another flow apply.
 */
function changesOf(
  parts: RehearsedParts,
  { rehearsal: { server, dialect }, client }: FlowPlan,
  asked: WireRequest | undefined,
): ChangeResponse {
  const apply = parts.hooks.rehearse();
  const flow = { id: "", client: client.known.id, steps: [], refreshes: 0, uses: 0 };
  const findFlow: ScopedRequest["findFlow"] = () => Promise.resolve(flow);
  const findAsked = () => Promise.resolve(asked);
  return async ({ request, response, refusal }) => {
    const spoken = { server, request, refusal, findAsked };
    const shaped = await dialect?.toClient(spoken, response) ?? response;
    return { shaped, ...await apply({ server, request, findFlow }, shaped) };
  };
}

/** A decoded token. */
interface ReadToken {
  format: "jwt" | "opaque";
  claims: Claims;
}

async function readTokens(
  server: InternalServer,
  response: WireResponse,
): Promise<{ access: ReadToken | undefined; id: ReadToken | undefined }> {
  const { access_token, id_token } = membersOf(response);
  return { access: await read(server, access_token), id: await read(server, id_token) };
}

async function read(server: InternalServer, token: unknown): Promise<ReadToken | undefined> {
  const draft = typeof token === "string" ? await readToken(server.context, token) : undefined;
  return draft && { format: "alg" in draft.header ? "jwt" : "opaque", claims: draft.claims };
}

/** A token as the server issued it, in the shape of the provider, and after the hooks. */
type TokenStages = [
  issued: ReadToken | undefined,
  shaped: ReadToken | undefined,
  sent: ReadToken | undefined,
];

function compare(
  [issued, shaped, sent]: TokenStages,
  hooks: readonly string[],
): HookedClaims | undefined {
  if (!sent) return undefined;
  return { ...sent, issued: issued?.claims ?? {}, shaped: shaped?.claims ?? {}, hooks };
}

async function readResponse(
  server: InternalServer,
  exchange: RehearsedExchange,
  change: ChangeResponse,
): Promise<HookedClaims | EvaluatedRefusal> {
  if (exchange.refusal) return exchange.refusal;
  const { shaped, response, fired: hooks } = await change(exchange);
  return {
    issued: await claimsIn(server, exchange.response),
    shaped: await claimsIn(server, shaped),
    claims: await claimsIn(server, response),
    hooks,
  };
}

/** A response is JSON, or a JWT that the server signed. */
async function claimsIn(server: InternalServer, response: WireResponse): Promise<Claims> {
  return jsonOf(response) ?? (await readToken(server.context, response.body))?.claims ?? {};
}
