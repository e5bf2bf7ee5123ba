import { createIncomingRequest } from "../../../server/http/incoming_request.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { Exchange, WireRequest } from "../../recording/exchange.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { LabError } from "../../util/lab_error.ts";
import { compareExchanges, type Replay } from "./compare_exchanges.ts";
import { asClient, withBody, withHeader, withMethod, withParameter } from "./edited_request.ts";
import { withFreshCredentials } from "./fresh_credentials.ts";
import { checkReplayChanges, type ReplayChanges } from "./replay_changes.ts";
import { connectionHeaders } from "./request_differences.ts";
import { withClaims } from "./sign_again.ts";

/** What a test can do to send a request again. */
export interface ReplayTools {
  /**
   * Sends a recorded request again, with changes, and compares both: what they send, what came, and
   * which rules differ. `lab.replay(7, { parameters: { redirect_uri: "https://other.example" } })`.
   * The request goes to the lab as it is now. Where a credential works once and is spent, a fresh
   * one takes its place, and `renewed` says so. No report counts it.
   *
   * @throws {LabError} There is no such request, a change is invalid, or the lab cannot make it.
   */
  replay(request: number, changes?: ReplayChanges): Promise<Replay>;
}

/** Sends a recorded request again, with changes, and compares both exchanges. */
export async function replayRequest(
  lab: CoreLab,
  id: number,
  changes: ReplayChanges = {},
): Promise<Replay> {
  checkReplayChanges(changes);
  const original = requireExchange(lab, id);
  const { id: replayId } = await sendAgain(lab, original, changes);
  return compareExchanges(original, requireExchange(lab, replayId), changes.secrets ?? false);
}

/** Sends a recorded request again, and returns the exchange that records it. */
export async function sendAgain(
  around: CoreLab,
  original: Exchange,
  changes: ReplayChanges = {},
): Promise<Exchange> {
  const lab = requireHandler(around, original);
  const draft = await changedRequest(lab, original.request, changes);
  const elapsed = Math.round((lab.clock.now() - original.began) / 1000);
  const signer = { lab, clientId: original.request.client, elapsed };
  const { request: fresh, renewed } = changes.spent
    ? { request: draft, renewed: [] }
    : await withFreshCredentials(draft, changedNames(changes), signer);
  const request = createIncomingRequest(toRequest(await withClaims(fresh, changes, signer)));
  const replay = await lab.recordExchange(request, { replayOf: original.id, renewed });
  if (!replay) throw new LabError("The request was sent, but not recorded.");
  return replay;
}

/** Returns what must stay as the test wants it. Another client has its own assertion. */
function changedNames({ parameters, headers, claims, client }: ReplayChanges): Set<string> {
  return new Set([
    ...Object.keys(parameters ?? {}),
    ...Object.keys(headers ?? {}).map((name) => name.toLowerCase()),
    ...Object.keys(claims ?? {}),
    ...client === undefined ? [] : ["client_assertion"],
  ]);
}

/** Returns the lab that responded to a request; throws a `LabError` if it was a closed tenant. */
export function requireHandler(lab: CoreLab, { id, tenant }: Exchange): CoreLab {
  const handler = lab.handlerOf(tenant);
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
  lab: CoreLab,
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
  return client === undefined ? request : await asClient(lab, request, client);
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
