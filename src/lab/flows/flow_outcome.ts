import type { ServerEvent } from "../../server/config/events.ts";
import type { EndpointName } from "../../server/config/paths_config.ts";
import { type Exchange, jsonOf, type WireResponse } from "../recording/exchange.ts";
import { type Refusal, refusalOf } from "../recording/refusal.ts";
import { callbackIn, memberOf } from "../recording/wire_callback.ts";
import { unescapeHtml } from "../util/html_forms.ts";
import type { FlowOutcome } from "./flow_story.ts";

/** Errors that tell a client to go on. */
const interimErrors: readonly unknown[] = ["authorization_pending", "slow_down", "use_dpop_nonce"];

const waiting = "Waiting for the user";

const titleEnd = / · Hallpass$/;

const good = (title: string): FlowOutcome => ({ kind: "good", title });
const bad = (title: string): FlowOutcome => ({ kind: "bad", title });
const neutral = (title: string): FlowOutcome => ({ kind: "neutral", title });

/** Whether an error ends nothing: the client goes on. */
export function isInterimError(error: unknown): boolean {
  return interimErrors.includes(error);
}

/**
 * Returns what became of a flow: what its latest exchange that decides anything led to. Nothing
 * undoes a revocation.
 */
export function flowOutcome(exchanges: readonly Exchange[]): FlowOutcome {
  const found = findingIn(exchanges);
  if (found) {
    return bad(found.isAccepted ? `Attacked: ${found.id}, and accepted` : `Found: ${found.id}`);
  }
  const revocation = exchanges.map(revocationIn).find((outcome) => outcome !== undefined);
  if (revocation) return revocation;
  const outcomes = exchanges.map(outcomeOf).filter((outcome) => outcome !== undefined);
  const last = outcomes.at(-1) ?? useOf(exchanges.at(-1));
  if (last.title !== waiting) return last;
  return decisionIn(exchanges.flatMap(({ events }) => events)) ?? last;
}

/** Returns what a drill found in a flow. */
export function findingIn(exchanges: readonly Exchange[]): Exchange["finding"] {
  return exchanges.find(({ finding }) => finding)?.finding;
}

/** Returns what the user decided whom a client asked; it learns of it when it polls. */
export function decisionIn(events: readonly ServerEvent[]): FlowOutcome | undefined {
  for (const event of events) {
    switch (event.type) {
      case "device.allowed":
      case "backchannel.allowed":
        return neutral(`Allowed by ${event.user}, not redeemed yet`);
      case "device.denied":
      case "backchannel.denied":
        return neutral("Denied, not polled yet");
    }
  }
  return undefined;
}

/** Returns what a client did with what it has from elsewhere, such as a minted token. */
function useOf(exchange: Exchange | undefined): FlowOutcome {
  if (!exchange) return neutral("No longer recorded");
  switch (exchange.request.endpoint) {
    case "userinfo":
      return good("Token used");
    case "introspect":
      return neutral("Token introspected");
    default:
      return neutral("Request answered");
  }
}

/** Returns the name of the user who signed in. */
export function flowUser(exchanges: readonly Exchange[]): string | undefined {
  const users = exchanges.flatMap(({ events }) => events.map(userOf));
  return users.findLast((user) => user !== undefined);
}

export function pageTitleOf({ body }: WireResponse): string | undefined {
  const [, title] = /<title>([^<]*)<\/title>/.exec(body) ?? [];
  return title === undefined ? undefined : unescapeHtml(title).replace(titleEnd, "");
}

/** Returns why a user was shown the same form again, or undefined if this did not happen. */
export function formProblemOf({ events }: Exchange): string | undefined {
  for (const event of events) {
    if (event.type === "sign_in.failed") return signInProblem(event);
    if (event.type === "user_code.refused") return "The user code is unknown, expired or used.";
  }
  return undefined;
}

function userOf(event: ServerEvent): string | undefined {
  switch (event.type) {
    case "sign_in.succeeded":
    case "code.issued":
    case "device.allowed":
    case "backchannel.allowed":
      return event.user;
    default:
      return undefined;
  }
}

function signInProblem({ user, reason }: Extract<ServerEvent, { type: "sign_in.failed" }>): string {
  if (user === undefined) return "No user has this name.";
  return reason === "disabled" ? `${user} is disabled.` : `Wrong password for ${user}.`;
}

/** Returns what an exchange alone led to, or undefined if it changes no outcome. */
function outcomeOf(exchange: Exchange): FlowOutcome | undefined {
  if (!exchange.response) return bad("No response");
  const error = errorOf(exchange);
  if (error !== undefined) {
    return isInterimError(error) ? neutral(waiting) : failure(error, refusalOf(exchange));
  }
  return successOf(exchange);
}

function errorOf(exchange: Exchange): string | undefined {
  const { response } = exchange;
  const callback = response && callbackIn(response, "http://localhost");
  const error = memberOf(callback, "error") ?? refusalOf(exchange)?.error ??
    (response && jsonOf(response)?.error);
  return typeof error === "string" ? error : undefined;
}

function revocationIn({ events }: Exchange): FlowOutcome | undefined {
  const revoked = events.find((event) => event.type === "authorization.revoked");
  return revoked && bad(`Revoked: ${revoked.reason}`);
}

function failure(error: string, refusal: Refusal | undefined): FlowOutcome {
  if (error === "access_denied") return neutral("Denied");
  return { ...bad(`Refused: ${error}`), ...refusal && { refusal } };
}

function successOf(exchange: Exchange): FlowOutcome | undefined {
  const { events, request } = exchange;
  if (events.some(({ type }) => type === "token.revoked")) return neutral("Token revoked");
  const issued = events.find((event) => event.type === "token.issued");
  if (issued) return good(issued.grantType === "refresh_token" ? "Refreshed" : "Tokens issued");
  if (events.some(({ type }) => type === "code.issued")) return neutral("Code issued");
  if (request.endpoint === "par") return neutral("Request pushed");
  if (isWaiting(request.endpoint)) return neutral(waiting);
  return isOnPage(exchange) ? pageOutcome(exchange) : undefined;
}

/** Whether a client asked at an endpoint whose response it polls for. */
function isWaiting(endpoint: EndpointName | undefined): boolean {
  return endpoint === "deviceAuthorization" || endpoint === "backchannelAuthentication";
}

/** Whether a browser waits on one of our pages. */
function isOnPage({ request, response }: Exchange): boolean {
  return request.endpoint === "authorize" || request.endpoint === "interaction" ||
    (request.endpoint === "logout" && response?.status === 200);
}

function pageOutcome({ response }: Exchange): FlowOutcome {
  const title = response && pageTitleOf(response);
  if (title === undefined) return { ...neutral(waiting), page: "Sign in" };
  return { ...neutral(`On the page: ${title}`), page: title };
}
