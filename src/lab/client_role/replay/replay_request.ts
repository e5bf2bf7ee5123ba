import { createIncomingRequest } from "../../../server/http/incoming_request.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { authorizationRequestOf } from "../../flows/checks/check_facts.ts";
import { compareExchanges, type Replay } from "../../flows/replay/compare_exchanges.ts";
import { checkReplayChanges, type ReplayChanges } from "../../flows/replay/replay_changes.ts";
import { connectionHeaders } from "../../flows/replay/request_differences.ts";
import type { Exchange, WireRequest } from "../../recording/exchange.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { LabError } from "../../util/lab_error.ts";
import { withBody, withHeader, withMethod, withParameter } from "./edited_request.ts";
import { withFreshCredentials } from "./fresh_credentials.ts";
import { asClient } from "./other_client.ts";
import { vouchAgain } from "./vouch_again.ts";

/** Sends a recorded request again, with changes, and compares both exchanges. */
export async function replayRequest(
  lab: CoreLab,
  id: number,
  changes: ReplayChanges = {},
): Promise<Replay> {
  checkReplayChanges(changes);
  const original = requireExchange(lab, id);
  const { id: replayId } = await sendAgain(lab, original, changes);
  return compareExchanges(
    original,
    requireExchange(lab, replayId),
    lab.exchanges(),
    changes.secrets ?? false,
  );
}

/** Sends a recorded request again, and returns the exchange that records it. */
export async function sendAgain(
  around: CoreLab,
  original: Exchange,
  changes: ReplayChanges = {},
): Promise<Exchange> {
  const lab = requireHandler(around, original);
  const { fresh = false, claims, privateKeys } = changes;
  const draft = await changedRequest(lab, original, changes);
  if (fresh === false && claims === undefined) return await sendReplay(lab, original, draft);
  const takeBack = await vouchForRequest(lab, draft);
  try {
    const request = await withFreshCredentials(lab, original, draft, {
      names: fresh === true ? undefined : fresh || [],
      privateKeys,
      claims,
      sendAgain: (exchange) => sendAgain(lab, exchange, { fresh: true, privateKeys }),
    });
    return await sendReplay(lab, original, request);
  } finally {
    takeBack();
  }
}

async function sendReplay(
  lab: CoreLab,
  original: Exchange,
  request: WireRequest,
): Promise<Exchange> {
  const sent = createIncomingRequest(toRequest(request));
  const replay = await lab.recordExchange(sent, { replayOf: original.id });
  if (!replay) throw new LabError("The request was sent, but not recorded.");
  return replay;
}

/** Returns the lab that responded to a request; throws a `LabError` if it was a closed tenant. */
export function requireHandler(lab: CoreLab, { id, tenant }: Exchange): CoreLab {
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
  lab: CoreLab,
  original: Exchange,
  { method, parameters = {}, headers = {}, body, client }: ReplayChanges,
): Promise<WireRequest> {
  let { request } = original;
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

async function vouchForRequest(lab: CoreLab, request: WireRequest): Promise<() => void> {
  const { endpoint } = request;
  const isAuthorization = endpoint === "authorize" || endpoint === "par";
  const parameters = isAuthorization ? authorizationRequestOf([{ request }]) : undefined;
  return parameters ? await vouchAgain(lab, parameters) : () => {};
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
