import type { EndpointName } from "../../server/config/paths_config.ts";
import { type Exchange, headerOf, jsonOf } from "../recording/exchange.ts";
import { explainRefusal, refusalOf } from "../recording/refusal.ts";
import { callbackIn, memberOf, type WireCallback } from "../recording/wire_callback.ts";
import { requestTitle, responseNoteOf, responseTitle, shortUrl } from "./arrow_titles.ts";
import { formProblemOf, isInterimError } from "./flow_outcome.ts";
import { type FlowArrow, type Participant, participantOf, responderOf } from "./flow_story.ts";

/** An arrow before it has its place in the flow. */
export type UnnumberedArrow = Omit<FlowArrow, "step" | "pause">;

/** An exchange, and what came before it in its flow. */
export interface ExchangeInFlow {
  exchange: Exchange;
  earlier: readonly Exchange[];
  /** Whether more came after it. */
  isLast: boolean;
  /** The client that began the flow. */
  client: string | undefined;
  issuer: string;
}

/** The endpoints that lead to a sign-in or consent page. */
const pagesBeforePages: ReadonlyArray<EndpointName | undefined> = [
  "authorize",
  "device",
  "interaction",
];

/** What an arrow has besides the members that are the same for most. */
type ShownArrow = Pick<FlowArrow, "from" | "to" | "title"> & Partial<UnnumberedArrow>;

/** Draws an exchange, with the messages that it lets us infer. */
export function exchangeArrows(inFlow: ExchangeInFlow): UnnumberedArrow[] {
  const { exchange, client, issuer } = inFlow;
  const callback = exchange.response && callbackIn(exchange.response, issuer);
  const requester = participantOf(exchange.request, client);
  const hasUserCode = exchange.request.endpoint === "deviceAuthorization" &&
    exchange.response?.status === 200;
  return [
    ...arrowsBefore(inFlow, requester),
    ...requestArrows(inFlow, requester),
    ...responseArrows(inFlow, requester, callback),
    ...callback ? [deliveryArrow(exchange, callback)] : [],
    // The device shows its code to the user, who goes on in a browser (RFC 8628, section 3.3).
    ...hasUserCode
      ? [arrowOf(exchange, {
        from: "client",
        to: "browser",
        title: "Shows the user code",
        note: "verification_uri, user_code",
        part: "response",
        isInferred: true,
      })]
      : [],
  ];
}

/** Whether a response only leads the browser to our next page. */
function leadsToOwnPage(exchange: Exchange, labIssuer: string): boolean {
  const { request, response, issuer = labIssuer } = exchange;
  const location = response && headerOf(response, "Location");
  if (response === undefined || location === undefined) return false;
  if (callbackIn(response, issuer) || !URL.canParse(location, issuer)) return false;
  const isOwn = new URL(location, issuer).origin === new URL(issuer).origin;
  return isOwn && pagesBeforePages.includes(request.endpoint);
}

/** Whether a response refuses a request or did not arrive. */
export function isFailedResponse(exchange: Exchange): boolean {
  const { response } = exchange;
  if (!response) return true;
  const error = jsonOf(response)?.error ?? refusalOf(exchange)?.error;
  if (isInterimError(error)) return false;
  return response.status >= 400 || error !== undefined;
}

function arrowsBefore(
  { exchange, earlier }: ExchangeInFlow,
  requester: Participant,
): UnnumberedArrow[] {
  const { request } = exchange;
  if (requester === "api") {
    const title = "Request with the access token";
    return [arrowOf(exchange, { from: "client", to: "api", title, isInferred: true })];
  }
  const isFirst = !earlier.some((each) => each.request.endpoint === "authorize");
  if (request.endpoint !== "authorize" || !isFirst) return [];
  const note = [...request.query.keys()].filter((name) => notable.includes(name)).join(", ");
  const name = responderOf(exchange) === "company" ? "the company" : "Hallpass";
  const title = { title: `Redirect to ${name}`, note: note || undefined };
  return [arrowOf(exchange, { from: "client", to: "browser", ...title, isInferred: true })];
}

const notable: readonly string[] = ["state", "nonce", "code_challenge", "request_uri", "request"];

function requestArrows(
  { exchange, earlier, issuer }: ExchangeInFlow,
  requester: Participant,
): UnnumberedArrow[] {
  const { request } = exchange;
  const isFollowed = request.method === "GET" && request.endpoint === "interaction" &&
    earlier.some((each) => leadsToOwnPage(each, issuer));
  // The diagram leaves out how a browser follows our redirects to our own pages.
  if (isFollowed) return [];
  return [
    arrowOf(exchange, { from: requester, to: responderOf(exchange), ...requestTitle(exchange) }),
  ];
}

function responseArrows(
  { exchange, issuer, isLast }: ExchangeInFlow,
  requester: Participant,
  callback: WireCallback | undefined,
): UnnumberedArrow[] {
  const isRoutine = !isLast && exchange.faults.length === 0;
  if (isRoutine && leadsToOwnPage(exchange, issuer)) return [];
  return [arrowOf(exchange, {
    from: responderOf(exchange),
    to: requester,
    ...responseTitle(exchange, callback),
    part: "response",
    isFailed: isFailedResponse(exchange) || memberOf(callback, "error") !== undefined,
    reason: reasonOf(exchange),
    faults: exchange.faults,
  })];
}

function reasonOf(exchange: Exchange): string | undefined {
  const refusal = refusalOf(exchange);
  if (!refusal) return formProblemOf(exchange);
  const { description, received, expected, see } = refusal;
  return explainRefusal({ description, received, expected, see }).join(" ");
}

/** The browser follows the redirect to the client, or sends it the form. */
function deliveryArrow(exchange: Exchange, callback: WireCallback): UnnumberedArrow {
  const method = callback.mode === "form_post" ? "POST" : "GET";
  return arrowOf(exchange, {
    from: "browser",
    to: "client",
    title: `${method} ${shortUrl(callback.redirectUri)}`,
    note: responseNoteOf(callback),
    part: "response",
    isInferred: true,
    isFailed: memberOf(callback, "error") !== undefined,
  });
}

/** Returns an arrow of an exchange. Most are requests that the lab saw and that succeeded. */
function arrowOf({ id }: Exchange, arrow: ShownArrow): UnnumberedArrow {
  return {
    exchange: id,
    part: "request",
    isInferred: false,
    isFailed: false,
    faults: [],
    ...arrow,
  };
}
