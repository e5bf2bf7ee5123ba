import { type Context, serverPart } from "../../issuer/context.ts";
import { type Budget, createBudget } from "../../issuer/limits/budget.ts";
import {
  createSharedCounts,
  type GuessLimits,
  type SharedCounts,
} from "../../issuer/limits/guess_limits.ts";
import { randomId } from "../../issuer/random.ts";
import { namesClient } from "../../issuer/records/records.ts";
import type { Table } from "../../issuer/records/table.ts";
import type { PolledRequest } from "../../protocol/pending_request.ts";
import type { Attempt } from "../deliveries/deliveries.ts";
import type { PolledTables, WaitingId } from "../device/polled_credential.ts";
import { cibaLifetimes, type CibaPages, cibaPages, cibaSettingOf } from "./config.ts";

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

/** What a server has for backchannel authentication. */
interface CibaParts extends PolledTables {
  pages: CibaPages;
  /** Limits on guesses at users and their codes. */
  guessLimits: GuessLimits;
  /** How many requests a user gets in a minute. */
  ofUser: Budget;
  /** How many of them one client sends, so that others have room. */
  ofClientAtUser: Budget;
  /** What all servers on the store have counted in these budgets. */
  askedCounts: SharedCounts;
  /** The latest request of each client for a user, by the subject of the user and the client. */
  requests: Table<BackchannelRequest>;
  /** What to send to clients that wait for a ping, by the id of the request. */
  notifications: Table<Notification>;
  /** The pings that are due, by request and attempt. */
  pings: Table<PingAttempt>;
}

/** One client may send a third of the requests that a user gets in a minute. */
const clientShare = 1 / 3;

function createParts({ settings, limits, now, records: { open } }: Context): CibaParts {
  const { backchannelRequestsPerMinute: perMinute } = cibaSettingOf(settings);
  return {
    lifetime: cibaLifetimes.of(settings.lifetimes).backchannelRequest,
    pages: cibaPages.of(settings.pages),
    guessLimits: limits.userGuesses(),
    ofUser: createBudget(now, perMinute),
    ofClientAtUser: createBudget(now, Math.ceil(perMinute * clientShare)),
    askedCounts: createSharedCounts(
      open.plain("backchannel-count"),
      now,
      () => randomId({ settings }),
    ),
    credentials: open.secret("auth-req-id", (id) => namesClient(id)),
    requests: open.plain("backchannel-request", (request) => namesClient(request)),
    decisions: open.plain("backchannel-decision"),
    pollings: open.plain("backchannel-polling"),
    notifications: open.plain("notification"),
    pings: open.plain("ping"),
  };
}

export const cibaParts = serverPart(createParts);

export function isBackchannelRequest(pending: PolledRequest): pending is BackchannelRequest {
  return "backchannel" in pending;
}
