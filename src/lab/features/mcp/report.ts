import { type CheckTable, should } from "../../findings/sentences.ts";
import { type Exchange, headerOf, tokenOf } from "../../recording/exchange.ts";
import type { FlowTrace } from "../../recording/timeline.ts";
import { groupBy } from "../../util/lists.ts";
import { maxNameLength } from "../report/refused_requests.ts";
import {
  type Evidence,
  evidence,
  exchangesAt,
  membersOf,
  type ReportCheck,
  type ServerHistory,
} from "../report/report_check.ts";

/** V8 hashes longer texts by their length alone. */
const maxProgramLength = 16_000;
const loopbackPort = /(:\/\/(?:localhost|127\.0\.0\.1|\[::1\])):\d+/g;

/** What a client of the Model Context Protocol can do wrong. */
export const mcpChecks: CheckTable<ReportCheck> = {
  "refreshed-for-scope": should("refreshScope", {
    kind: "interoperability",
    title: "A refresh brings no scope that the user has not granted.",
    fix:
      "After insufficient_scope, send the user to the authorization endpoint with the scope of " +
      "the challenge, and keep the refresh token for tokens that expire.",
    find: refreshesForScope,
  }),
  "registered-repeatedly": should("clientId", {
    kind: "interoperability",
    title: "A client needs one registration, whose client_id it uses from then on.",
    fix:
      "Store the client_id of the response, and let requests that begin at the same time share " +
      "one registration.",
    find: unusedRegistrations,
  }),
};

/**
 * Finds a refresh right after `insufficient_scope`, long before the token expires, with whose token
 * the client is refused again, and which leads to no authorization request.
 */
function refreshesForScope({ flows, recorded, beside }: ServerHistory): Evidence[] {
  const byId = new Map([...recorded, ...beside].map((exchange) => [exchange.id, exchange]));
  return flows().flatMap((flow) => {
    const inFlow = flow.steps.map(({ exchange }) => byId.get(exchange)).filter((each) => !!each);
    return refreshForScope(flow, inFlow, recorded);
  });
}

function refreshForScope(
  { id, client }: FlowTrace,
  inFlow: readonly Exchange[],
  recorded: readonly Exchange[],
): Evidence[] {
  for (const [at, call] of inFlow.entries()) {
    const refresh = inFlow[at + 1];
    const again = inFlow.slice(at + 2).find((each) => each.isMcp);
    if (!refresh || !again || ![call, again].every(lacksScope)) continue;
    const isEarly = isRefresh(refresh) && isFresh(call, refresh.at, inFlow);
    const steppedUp = recorded.some(({ id, request }) =>
      id > call.id && request.client === client && isAuthorization(request)
    );
    if (!isEarly || steppedUp) continue;
    return [{
      client,
      received: `${id} was refused with insufficient_scope, refreshed, and was refused again`,
      parameter: "scope",
      exchanges: [call.id, refresh.id, again.id],
    }];
  }
  return [];
}

function lacksScope({ isMcp = false, response, faults }: Exchange): boolean {
  const challenge = response && headerOf(response, "WWW-Authenticate");
  return isMcp && faults.length === 0 && (challenge?.includes("insufficient_scope") ?? false);
}

function isRefresh({ request, response }: Exchange): boolean {
  return request.form.get("grant_type") === "refresh_token" && response?.status === 200;
}

function isAuthorization({ endpoint }: Exchange["request"]): boolean {
  return endpoint === "authorize" || endpoint === "par";
}

/** Whether the token of a call has more than half of its time left: none refreshes it for that. */
function isFresh(call: Exchange, now: number, flow: readonly Exchange[]): boolean {
  const token = tokenOf(call.request);
  return flow.some((each) => {
    const { access_token, expires_in } = membersOf(each);
    return access_token === token && now < each.at + Number(expires_in) * 1000 / 2;
  });
}

/**
 * Finds three or more registrations of one program, two of which no request used. A program that
 * runs anew, or on another machine, may register anew, and then uses what it got.
 */
function unusedRegistrations(history: ServerHistory): Evidence[] {
  const { exchanges } = history;
  if (exchanges.some(({ faults }) => faults.length > 0)) return [];
  const registrations = exchangesAt(history, "register")
    .filter(({ request, response }) => request.method === "POST" && response?.status === 201);
  const used = new Set(exchanges.flatMap(({ request }) => namesIn(request)));
  const isUnused = (each: Exchange) => !used.has(String(membersOf(each).client_id));
  return groupBy(registrations, programOf).flatMap((group) => {
    const unused = group.filter(isUnused).length;
    if (group.length < 3 || unused < 2) return [];
    return [evidence(group, `registered ${group.length} times; no request used ${unused} of them`)];
  });
}

/** Returns the clients that a request uses or manages. */
function namesIn({ client = "", path }: Exchange["request"]): string[] {
  return [client, path.slice(path.lastIndexOf("/") + 1)].map((name) =>
    name.slice(0, maxNameLength)
  );
}

/** Names a program by what it registers. A native one may listen on any port. */
function programOf({ request: { body } }: Exchange): string {
  return body.replaceAll(loopbackPort, "$1").slice(0, maxProgramLength);
}
