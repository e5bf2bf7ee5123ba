import type { Claims } from "../../server/model/claims.ts";
import type { InternalServer } from "../../server/server.ts";
import {
  type FollowUpFacts,
  type FollowUpName,
  followUpRequest,
  introspectorFor,
} from "../client_role/follow_up.ts";
import type { EvaluatedRefusal } from "../control/evaluation.ts";
import type { ScopedRequest } from "../faults/flow_scope.ts";
import type { ApplyHooks } from "../hooks/fire_hooks.ts";
import { jsonOf, type WireResponse } from "../recording/exchange.ts";
import { readToken } from "../tokens/signed_tokens.ts";
import { type FlowPlan, usesDpop } from "./flow_plan.ts";
import type { RehearsedParts } from "./rehearsal.ts";
import { type RehearsedExchange, sendRehearsed } from "./send_rehearsed.ts";

/** The claims of a token or response, before and after the hooks of the test. */
export interface HookedClaims {
  /** Of a token. */
  format?: "jwt" | "opaque" | undefined;
  issued: Claims;
  claims: Claims;
  /** The names of the hooks that fired. */
  hooks: readonly string[];
}

/** What a client would get. */
export interface RehearsedResults {
  /** The token response. */
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
  exchange: RehearsedExchange,
): Promise<RehearsedResults> {
  const { server } = plan.rehearsal;
  const apply = hookedBy(parts.hooks.rehearse(), plan);
  const issued = await readTokens(server, exchange.response);
  const { response, fired } = await apply(exchange);
  const sent = await readTokens(server, response);
  const body = jsonOf(response) ?? {};
  const facts = followUpFacts(parts, plan, body.access_token);
  const followUp = async (name: FollowUpName) => {
    const request = await followUpRequest(server, name, facts);
    return request && await readResponse(server, await sendRehearsed(server, request), apply);
  };
  return {
    body,
    accessToken: compare(
      issued.access,
      sent.access,
      fired.filter((each) => each !== "hook.id_token"),
    ),
    idToken: compare(issued.id, sent.id, fired),
    userinfo: plan.options.user === undefined ? undefined : await followUp("userinfo"),
    introspection: await followUp("introspect"),
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

type ApplyToExchange = (exchange: RehearsedExchange) => ReturnType<ApplyHooks>;

/** Applies hooks that are limited to the client, and none that are limited to another flow. */
function hookedBy(apply: ApplyHooks, { rehearsal, client }: FlowPlan): ApplyToExchange {
  const flow = { id: "", client: client.known.id, steps: [], refreshes: 0, uses: 0 };
  const findFlow: ScopedRequest["findFlow"] = () => Promise.resolve(flow);
  return ({ request, response }) =>
    apply({ server: rehearsal.server, request, findFlow }, response);
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
  const { access_token, id_token } = jsonOf(response) ?? {};
  return { access: await read(server, access_token), id: await read(server, id_token) };
}

async function read(server: InternalServer, token: unknown): Promise<ReadToken | undefined> {
  const draft = typeof token === "string" ? await readToken(server.context, token) : undefined;
  return draft && { format: "alg" in draft.header ? "jwt" : "opaque", claims: draft.claims };
}

function compare(
  issued: ReadToken | undefined,
  sent: ReadToken | undefined,
  hooks: readonly string[],
): HookedClaims | undefined {
  if (!sent) return undefined;
  return { ...sent, issued: issued?.claims ?? {}, hooks };
}

async function readResponse(
  server: InternalServer,
  exchange: RehearsedExchange,
  apply: ApplyToExchange,
): Promise<HookedClaims | EvaluatedRefusal> {
  if (exchange.refusal) return exchange.refusal;
  const { response, fired: hooks } = await apply(exchange);
  const claims = await claimsIn(server, response);
  return { issued: await claimsIn(server, exchange.response), claims, hooks };
}

/** A response is JSON, or a JWT that the server signed. */
async function claimsIn(server: InternalServer, response: WireResponse): Promise<Claims> {
  return jsonOf(response) ?? (await readToken(server.context, response.body))?.claims ?? {};
}
