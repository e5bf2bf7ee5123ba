import { type CheckTable, must, should } from "../../../findings/sentences.ts";
import { readJwt } from "../../../recording/credentials.ts";
import { type Exchange, headerOf } from "../../../recording/exchange.ts";
import { groupBy } from "../../../util/lists.ts";
import { maxNameLength } from "../refused_requests.ts";
import {
  type Evidence,
  evidence,
  exchangesAt,
  membersOf,
  type ReportCheck,
  type ServerHistory,
} from "../report_check.ts";

/** How long a client waits between polls that was told nothing else (RFC 8628, section 3.2). */
const defaultInterval = 5;

/** How much longer it waits after each `slow_down`, in seconds. */
const increase = 5;

/** What clocks and networks may take away from a wait, in seconds. */
const tolerance = 1;

/** How often a client that has several processes may learn that it needs a nonce. */
const fewAttempts = 2;

/** What a client can do wrong with a response that asks it to wait, or for a nonce. */
export const retryChecks: CheckTable<ReportCheck> = {
  "retry-after-ignored": should("retryAfter", {
    kind: "interoperability",
    title: "A request is sent again earlier than Retry-After asks.",
    fix: "Read the Retry-After header of the response, and send the next request after that time.",
    find: ({ exchanges }) => exchanges.flatMap((refused) => earlyRetry(exchanges, refused)),
  }),
  "slow-down-ignored": must("slowDown", {
    kind: "interoperability",
    title: "After slow_down, the next polls come no later.",
    fix: "Begin with the interval of the response, add 5 seconds at each slow_down, and keep them.",
    find: (history) => pollsIn(history).flatMap((polls) => earlyPolls(history, polls)),
  }),
  "dpop-nonce-ignored": must("dpopNonce", {
    kind: "interoperability",
    title: "The DPoP-Nonce of the last response is not in the next proof.",
    fix:
      "After use_dpop_nonce, make a new proof with the 'nonce' of the header, and send it again.",
    find: ({ exchanges }) =>
      groupBy(exchanges.filter(wantsNonce), callOf).flatMap((asked) =>
        withoutNonce(exchanges, asked)
      ),
  }),
};

function earlyRetry(exchanges: readonly Exchange[], refused: Exchange): Evidence[] {
  const seconds = secondsToWait(refused);
  if (!(seconds > 0)) return [];
  const again = exchanges.find((next) =>
    next.id > refused.id && callOf(next) === callOf(refused) &&
    next.at - refused.at < seconds * 1000
  );
  if (!again) return [];
  const waited = (again.at - refused.at) / 1000;
  return [evidence([refused, again], `after ${waited} of ${seconds} seconds`)];
}

/** Returns what `Retry-After` asks for: a number of seconds, or a date (RFC 9110, section 10.2.3). */
function secondsToWait({ at, response }: Exchange): number {
  const text = response && headerOf(response, "Retry-After");
  if (text === undefined) return NaN;
  return /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - at) / 1000;
}

function callOf({ request: { path, client } }: Exchange): string {
  return JSON.stringify([path, client?.slice(0, maxNameLength)]);
}

function pollsIn(history: ServerHistory): Exchange[][] {
  return groupBy(exchangesAt(history, "token"), ({ request }) => polledIn(request) ?? undefined);
}

function polledIn({ form }: Exchange["request"]): string | null {
  return form.get("device_code") ?? form.get("auth_req_id");
}

/** Finds a poll that came before the interval had passed to which each `slow_down` adds. */
function earlyPolls(history: ServerHistory, polls: readonly Exchange[]): Evidence[] {
  let interval = intervalOf(history, polls);
  for (const [index, poll] of polls.entries()) {
    if (membersOf(poll).error !== "slow_down") continue;
    interval += increase;
    const next = polls[index + 1];
    const waited = next ? (next.began - poll.at) / 1000 : Infinity;
    // A clock that the test has stopped measures nothing.
    if (!next || waited === 0 || waited >= interval - tolerance) continue;
    return [evidence([poll, next], `after ${waited} of ${interval} seconds`)];
  }
  return [];
}

function intervalOf(history: ServerHistory, [first]: readonly Exchange[]): number {
  const code = first && polledIn(first.request);
  const began = ["deviceAuthorization", "backchannelAuthentication"] as const;
  const answered = began.flatMap((endpoint) => exchangesAt(history, endpoint)).map(membersOf);
  const { interval } =
    answered.find((each) => [each.device_code, each.auth_req_id].includes(code)) ??
      {};
  return typeof interval === "number" ? interval : defaultInterval;
}

function wantsNonce(exchange: Exchange): boolean {
  const { response } = exchange;
  if (!response) return false;
  const error = "use_dpop_nonce";
  if (headerOf(response, "WWW-Authenticate")?.includes(error)) return true;
  // To parse every body takes longer than all other checks.
  return response.body.includes(error) && membersOf(exchange).error === error;
}

/** Finds a client that goes on without a nonce. Each of its processes may ask for one once. */
function withoutNonce(
  exchanges: readonly Exchange[],
  asked: readonly [first: Exchange, ...later: Exchange[]],
): Evidence[] {
  const [first, ...later] = asked;
  const sent = exchanges.filter((each) => each.id > first.id && callOf(each) === callOf(first));
  if (later.length < fewAttempts || sent.some(hasNonce)) return [];
  return [evidence([first, ...later], `${asked.length} proofs without a nonce`, "DPoP")];
}

function hasNonce({ request }: Exchange): boolean {
  return readJwt(request.headers.dpop ?? "")?.claims.nonce !== undefined;
}
