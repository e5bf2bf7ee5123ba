import { serverPart } from "../../issuer/context.ts";
import { createBudget } from "../../issuer/limits/budget.ts";
import { createSharedCounts } from "../../issuer/limits/guess_limits.ts";
import { randomId } from "../../issuer/random.ts";
import { namesClient } from "../../issuer/records/records.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import type { Attempt } from "../deliveries/deliveries.ts";
import type { PolledCredential, PolledDecision, WaitingId } from "../device/polled_credential.ts";
import type { PollingState } from "../device/polling_rules.ts";
import { cibaLifetimes, cibaPages, cibaServer } from "./config.ts";

/** A validated backchannel authentication request, which waits for its user. */
export interface BackchannelRequest extends PolledRequest {
  backchannel: WaitingId & {
    /** What the client also shows, so that the user can compare. */
    bindingMessage?: string | undefined;
  };
}

/** What a client gets as soon as its user has decided. */
interface Notification {
  clientId: string;
  /** The `auth_req_id` and the token of the client, encrypted as all secrets in the store. */
  sealed: string;
  /** When the client gives up, in milliseconds. */
  expiresAt: number;
}

/** An attempt to send a ping. */
export interface PingAttempt extends Attempt {
  requestId: string;
}

/** One client may send a third of the requests that a user gets in a minute. */
const clientShare = 1 / 3;

/** What a server has for backchannel authentication. */
export const cibaParts = serverPart(({ settings, limits, now, records: { open } }) => {
  const { backchannelRequestsPerMinute: perMinute } = cibaServer.of(settings);
  const newProcessId = () => randomId({ settings });
  return {
    lifetime: cibaLifetimes.of(settings.lifetimes).backchannelRequest,
    pages: cibaPages.of(settings.pages),
    /** Limits on guesses at users and their codes. */
    guessLimits: limits.userGuesses(),
    /** How many requests a user gets in a minute. */
    ofUser: createBudget(now, perMinute),
    /** How many of them one client sends, so that others have room. */
    ofClientAtUser: createBudget(now, Math.ceil(perMinute * clientShare)),
    /** What all servers on the store have counted in these budgets. */
    askedCounts: createSharedCounts(open.plain("backchannel-count"), now, newProcessId),
    credentials: open.secret<PolledCredential>("auth-req-id", namesClient),
    /** The latest request of each client for a user, by the subject of the user and the client. */
    requests: open.plain<BackchannelRequest>("backchannel-request", namesClient),
    decisions: open.plain<PolledDecision>("backchannel-decision"),
    pollings: open.plain<PollingState>("backchannel-polling"),
    /** What to send to clients that wait for a ping, by the id of the request. */
    notifications: open.plain<Notification>("notification"),
    /** The pings that are due, by request and attempt. */
    pings: open.plain<PingAttempt>("ping"),
  };
});

export function isBackchannelRequest(pending: PolledRequest): pending is BackchannelRequest {
  return "backchannel" in pending;
}
