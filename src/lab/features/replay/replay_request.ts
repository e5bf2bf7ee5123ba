import type { ClientConfig } from "../../../server/features.ts";
import { createIncomingRequest } from "../../../server/http/incoming_request.ts";
import { consumeAssertionOnce } from "../../../server/issuer/external/external_jwt.ts";
import { toMilliseconds } from "../../../server/issuer/time.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { readFlowCredentials } from "../../flows/flow_credentials.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { Exchange, WireRequest } from "../../recording/exchange.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { LabError } from "../../util/lab_error.ts";
import { compareExchanges, type Replay } from "./compare_exchanges.ts";
import {
  asClient,
  type PlayedClients,
  withBody,
  withHeader,
  withMethod,
  withParameter,
} from "./edited_request.ts";
import { checkReplayChanges, type ReplayChanges } from "./replay_changes.ts";
import { connectionHeaders } from "./request_differences.ts";
import { withClaims } from "./sign_again.ts";

/** What a test can do to send a request again. */
export interface ReplayTools {
  /**
   * Sends a recorded request again, with changes, to the lab as it was when it got the request, and
   * compares both: what they send, what came, and which rules differ. `lab.replay(7, { parameters:
   * { redirect_uri: "https://other.example" } })`. The lab keeps only the record: what it issued is
   * not valid, and no report counts it. With `now: true`, the request goes to the lab as it is.
   *
   * @throws {LabError} There is no such request, a change is invalid, or the lab cannot make it.
   */
  replay(request: number, changes?: ReplayChanges): Promise<Replay>;
}

/** What the pages need beside it. */
export interface ReplayInternals {
  /** Returns the lab around all others: this one, unless it is a tenant. */
  outermost(): CoreLab;
  /**
   * Returns the clients that the lab had when it got a request.
   *
   * @throws {LabError} The lab has forgotten what it was like.
   */
  clientsAt(exchange: Exchange): readonly ClientConfig[];
}

/** A lab that sends requests again. */
export type ReplayingLab = CoreLab & ReplayInternals;

/** Sends a recorded request again, with changes, and compares both exchanges. */
export async function replayRequest(
  lab: ReplayingLab,
  id: number,
  changes: ReplayChanges = {},
): Promise<Replay> {
  checkReplayChanges(changes);
  const original = requireExchange(lab, id);
  const { id: replayId } = await sendAgain(lab, original, changes);
  return compareExchanges(original, requireExchange(lab, replayId), changes.secrets ?? false);
}

/**
 * Sends a recorded request again, to the lab as it was when it got the request, and returns the
 * exchange that records it.
 */
export async function sendAgain(
  around: ReplayingLab,
  original: Exchange,
  changes: ReplayChanges = {},
): Promise<Exchange> {
  const lab = requireHandler(around, original);
  const isPast = !changes.now && hasPast(original);
  const past = isPast ? await lab.openPast(original) : undefined;
  const source = past ??
    { context: lab.context, settings: lab.settings, clients: lab.clients.list() };
  const draft = await changedRequest(source, original.request, changes);
  const elapsed = past ? undefined : Math.round((lab.clock.now() - original.began) / 1000);
  const signer = { lab, context: source.context, clientId: original.request.client, elapsed };
  const request = createIncomingRequest(toRequest(await withClaims(draft, changes, signer)));
  const replay = past
    ? await past.recordExchange(request)
    : await lab.recordExchange(request, { replayOf: original.id });
  if (!replay) throw new LabError("The request was sent, but not recorded.");
  if (past) await revokeIssued(around.outermost(), lab, replay);
  return replay;
}

/** Whether a lab can return to what a request met: its MCP server and routes of a test cannot. */
export function hasPast({ isBesideProtocol = false }: Exchange): boolean {
  return !isBesideProtocol;
}

/**
 * Makes what is signed invalid in the lab, whose keys are the same: access tokens, and ID-JAGs at
 * the lab or the tenant that they are for.
 */
async function revokeIssued(around: CoreLab, lab: CoreLab, replay: Exchange): Promise<void> {
  const labs = labsIn(around);
  for (const { kind, value } of readFlowCredentials([replay], lab.issuer).issued) {
    const claims = readJwt(value)?.claims ?? {};
    const { jti, exp, iss, aud } = claims;
    if (typeof jti !== "string" || typeof exp !== "number") continue;
    if (kind === "access token") {
      await lab.context.records.revokedTokens.put(jti, null, toMilliseconds(exp));
    }
    const taker = kind === "ID-JAG" ? labs.find(({ issuer }) => issuer === aud) : undefined;
    if (taker) await consumeAssertionOnce(taker.context, { issuer: String(iss) }, claims);
  }
}

/** Returns a lab with all of its tenants. */
function labsIn(lab: CoreLab): CoreLab[] {
  return [lab, ...lab.tenants.ids().flatMap((id) => labsIn(lab.tenants.find(id)))];
}

/** Returns the lab that responded to a request; throws a `LabError` if it was a closed tenant. */
export function requireHandler<L extends CoreLab>(lab: L, { id, tenant }: Exchange): L {
  const handler = lab.handlerOf({ tenant });
  if (handler) return handler;
  throw new LabError(`The tenant '${tenant}' of request ${id} is closed.`);
}

/** Returns a recorded exchange; throws a `LabError` if there is none with its number. */
export function requireExchange(lab: CoreLab, id: number): Exchange {
  const exchange = lab.exchanges().find((each) => each.id === id);
  if (exchange) return exchange;
  throw new LabError(`There is no request ${id}, or it is no longer recorded.`);
}

async function changedRequest(
  source: PlayedClients,
  original: WireRequest,
  { method, parameters = {}, headers = {}, body, client }: ReplayChanges,
): Promise<WireRequest> {
  let request = original;
  if (method !== undefined) request = withMethod(request, method);
  if (body !== undefined) request = withBody(request, body);
  for (const [name, values] of Object.entries(parameters)) {
    request = withParameter(request, name, [values ?? []].flat());
  }
  for (const [name, value] of Object.entries(headers)) {
    request = withHeader(request, checkedHeader(name, value), value ?? undefined);
  }
  return client === undefined ? request : await asClient(source, request, client);
}

function checkedHeader(name: string, value: string | null): string {
  if (connectionHeaders.includes(name.toLowerCase())) {
    throw new LabError(`The header '${name}' belongs to the connection, and cannot be changed.`);
  }
  const problem = headerProblem({ [name]: value ?? "" });
  if (problem !== undefined) throw new LabError(`Cannot send the headers: ${problem}.`);
  return name;
}

function toRequest({ method, url, headers, body }: WireRequest): Request {
  const own = Object.entries(headers).filter(([name]) => !connectionHeaders.includes(name));
  return new Request(url, {
    method,
    headers: own,
    redirect: "manual",
    ...body !== "" && { body },
  });
}
