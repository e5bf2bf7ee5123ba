import type { ResponseData } from "../../../server/http/response_data.ts";
import type { Claims } from "../../../server/model/claims.ts";
import type { InternalServer } from "../../../server/server.ts";
import {
  findFollowUpUrl,
  type FollowUpFacts,
  type FollowUpName,
  followUpRequest,
  introspectorFor,
} from "../../client_role/follow_up.ts";
import { findEndpointUrl } from "../../dialect/lab_endpoints.ts";
import { nest } from "../../layers/layer.ts";
import type { ChangedExchange } from "../../layers/pending_exchange.ts";
import {
  formType,
  headerOf,
  jsonOf,
  readWholeResponse,
  type WireRequest,
  type WireResponse,
} from "../../recording/exchange.ts";
import type { ScopedRequest } from "../../recording/flow_scope.ts";
import { readToken } from "../../tokens/signed_tokens.ts";
import { type DryRunParts, endpointsOf } from "./dry_run.ts";
import type { DryRunFlow } from "./dry_run_flow.ts";
import type { EvaluatedRefusal, EvaluatedResponse } from "./evaluation.ts";
import { type DryRunExchange, type FlowPlan, sendDryRun, usesDpop } from "./flow_plan.ts";

/** Longer texts are tokens, which must not become usable. */
const longText = /[\w.~+-]{64,}/g;
const shownLength = 24;

/** The claims of a token or response, as a client would get them. */
export interface ReadClaims {
  /** Of a token. */
  format?: "jwt" | "opaque" | undefined;
  claims: Claims;
}

/** What a client would get. */
export interface DryRunResults {
  /** The token response, and its members. */
  response: WireResponse;
  body: Record<string, unknown>;
  accessToken: ReadClaims | undefined;
  idToken: ReadClaims | undefined;
  userinfo: ReadClaims | EvaluatedRefusal | undefined;
  introspection: ReadClaims | EvaluatedRefusal | undefined;
}

/** Reads the tokens of a flow, and what userinfo and introspection say about them. */
export async function dryRunResults(
  parts: DryRunParts,
  plan: FlowPlan,
  { exchange, asked }: DryRunFlow & { exchange: DryRunExchange },
): Promise<DryRunResults> {
  const { server } = plan.dryRun;
  const change = changesOf(parts, plan, asked);
  const response = await change(exchange);
  const body = membersOf(response);
  const facts = followUpFacts(parts, plan, body.access_token);
  const source = endpointsOf(parts);
  const followUp = async (name: FollowUpName) => {
    if (findFollowUpUrl(source, name) === undefined) return undefined;
    const request = await followUpRequest(server, name, facts);
    return request &&
      await readResponse(server, await sendDryRun(plan.dryRun, request), change);
  };
  const userinfo = findEndpointUrl(source, "userinfo_endpoint") === undefined
    ? () => callUserApi(parts, plan, facts)
    : () => followUp("userinfo");
  return {
    response,
    body,
    accessToken: await read(server, body.access_token),
    idToken: await read(server, body.id_token),
    userinfo: plan.options.user === undefined ? undefined : await userinfo(),
    introspection: await followUp("introspect"),
  };
}

/** Returns a response as it goes over the wire, with long tokens cut. */
export function evaluatedResponse(response: WireResponse): EvaluatedResponse {
  return {
    status: response.status,
    content_type: headerOf(response, "Content-Type") ?? "",
    body: response.body.replace(longText, (text) => `${text.slice(0, shownLength)}…`),
  };
}

/** Calls the API by which a provider without userinfo describes the user. */
async function callUserApi(
  parts: DryRunParts,
  { dryRun: { server, dialect } }: FlowPlan,
  facts: FollowUpFacts,
): Promise<ReadClaims | EvaluatedRefusal | undefined> {
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
): Promise<ReadClaims | EvaluatedRefusal> {
  const { read } = await readWholeResponse(response);
  if (response.status < 300) return { claims: jsonOf(read) ?? {} };
  return {
    at: `GET ${new URL(url).pathname}`,
    error: String(response.status),
    description: `The API of the provider refuses: ${read.body}`,
  };
}

/** Returns what the requests are made of that present the access token. */
function followUpFacts(
  { server }: DryRunParts,
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

type ChangeResponse = (exchange: DryRunExchange) => Promise<WireResponse>;

/**
 * Returns what changes responses: the dialect, then what the test changes for the client. What is
 * limited to another flow does not apply.
 */
function changesOf(
  parts: DryRunParts,
  { dryRun: { server, dialect }, client }: FlowPlan,
  asked: WireRequest | undefined,
): ChangeResponse {
  const ofDialect = dialect && (() => Promise.resolve(dialect));
  const layers = parts.dryRunLayers({ dialect: ofDialect }).flatMap(({ change }) => change ?? []);
  const flow = { id: "", client: client.known.id, steps: [], refreshes: 0, uses: 0 };
  const findFlow: ScopedRequest["findFlow"] = () => Promise.resolve(flow);
  const findAsked = () => Promise.resolve(asked);
  return async ({ request, response, refusal }) => {
    const answered = { server, request, refusal, findAsked };
    const shaped = await dialect?.toClient(answered, response) ?? response;
    const exchange: ChangedExchange = { server, request, findFlow, fired: [] };
    const changed = await nest([...layers, () => Promise.resolve(shaped)])(exchange);
    if (exchange.failure !== undefined) throw exchange.failure;
    return changed;
  };
}

async function read(server: InternalServer, token: unknown): Promise<ReadClaims | undefined> {
  const draft = typeof token === "string" ? await readToken(server.context, token) : undefined;
  return draft && { format: "alg" in draft.header ? "jwt" : "opaque", claims: draft.claims };
}

async function readResponse(
  server: InternalServer,
  exchange: DryRunExchange,
  change: ChangeResponse,
): Promise<ReadClaims | EvaluatedRefusal> {
  if (exchange.refusal) return exchange.refusal;
  return { claims: await claimsIn(server, await change(exchange)) };
}

/** A response is JSON, or a JWT that the server signed. */
async function claimsIn(server: InternalServer, response: WireResponse): Promise<Claims> {
  return jsonOf(response) ?? (await readToken(server.context, response.body))?.claims ?? {};
}

/** Returns the members of a response in JSON or as a form, as some providers send them. */
function membersOf(response: WireResponse): Record<string, unknown> {
  const isForm = headerOf(response, "Content-Type")?.startsWith(formType) ?? false;
  return isForm ? Object.fromEntries(new URLSearchParams(response.body)) : jsonOf(response) ?? {};
}
