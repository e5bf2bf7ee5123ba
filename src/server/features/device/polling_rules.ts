import { type Client, type ClientReference, refersTo } from "../../model/client.ts";
import {
  credentialTexts,
  invalidCredential,
  nameOfCredential,
  type PresentedCredentialKind,
  unusable,
} from "../../protocol/credential_rules.ts";
import { ruleSet } from "../../protocol/rule.ts";
import { second } from "../../util/time/duration.ts";

/** How long a client waits between two polls at first, in seconds (RFC 8628, section 3.2). */
export const pollInterval = 5 * second;

/** What each early poll adds to the interval, permanently (RFC 8628, section 3.5). */
const slowDownStep = 5 * second;

/** The polls of a client so far. */
export interface PollingState {
  /** The time of the last poll, in milliseconds. */
  lastAt: number;
  /** In seconds. */
  interval: number;
}

/** A poll, and the polls so far with it. */
export interface Poll {
  tooEarly: boolean;
  polling: PollingState;
}

interface PollTimes {
  expiresAt: number;
  now: number;
  used: boolean;
  /** Whether a newer request replaced that of the credential. */
  isReplaced: boolean;
}

/** A credential with which a client polls until a user has decided. */
interface PolledCredentialKind extends PresentedCredentialKind {
  /** The section that defines the errors. */
  seeErrors: string;
  /** Who polls. */
  poller: "client" | "device";
  response: string;
  /** How to get another one, in the imperative. */
  restart: string;
}

/** The rules of a credential with which a client polls. */
export type PollingRules = ReturnType<typeof pollingRules>;

export function pollingRules(kind: PolledCredentialKind) {
  const { poller, response, restart } = kind;
  const name = nameOfCredential(kind);
  const polled = { see: kind.seeErrors } as const;
  return ruleSet(kind.parameter, invalidCredential(kind), {
    ...credentialTexts(kind),
    same_client: {
      ...unusable(kind),
      title: `The client must be the same as when the ${name} was issued`,
      fix: "Start again: the client was disabled or replaced.",
      holds: ({ issuedTo, client }: { issuedTo: ClientReference; client: Client }) =>
        issuedTo === undefined || refersTo(issuedTo, client),
      expected: ({ client }) => `the client '${client.id}' as it was`,
      received: () => "a client that was disabled or replaced since",
    },
    // A used credential is exempt: its second use must revoke what was issued from it.
    in_time: {
      ...polled,
      error: "expired_token",
      title: `The user must decide before the ${name} expires`,
      message: ({ isReplaced }) =>
        `The ${name} has expired${isReplaced ? ": a newer request replaced its own" : ""}.`,
      fix: restart,
      holds: ({ expiresAt, now, used, isReplaced }: PollTimes) =>
        used || (expiresAt > now && !isReplaced),
    },
    interval: {
      ...polled,
      error: "slow_down",
      title: `The ${poller} must wait for the interval between polls`,
      message: (poll: Poll | undefined) =>
        `The ${poller} must wait ${poll?.polling.interval} seconds between polls from now on.`,
      fix: `Wait for the interval of the ${response}, and add 5 seconds after each slow_down.`,
      holds: (poll: Poll | undefined) => !poll?.tooEarly,
    },
    decided: {
      ...polled,
      error: "authorization_pending",
      title: "The user must decide first",
      fix: `Poll again after the interval of the ${response}.`,
    },
    // At the token endpoint, the status is 400 (RFC 6749, section 5.2).
    allowed: {
      ...polled,
      error: "access_denied",
      title: "The user must allow the request",
      message: "The user denied the request.",
      details: { status: 400 },
      fix: "Handle the denial: continue without access, and let the user try again.",
      // Only then is there an authorization.
      holds: (decided: { authorization?: string | undefined }) =>
        decided.authorization !== undefined,
    },
  });
}

/** Records a poll, and returns whether it came too early. The first poll may come at any time. */
export function recordPoll(previous: PollingState | undefined, now: number): Poll {
  const interval = previous?.interval ?? pollInterval;
  const tooEarly = previous !== undefined && now - previous.lastAt < interval * 1000;
  const nextInterval = tooEarly ? interval + slowDownStep : interval;
  return { tooEarly, polling: { lastAt: now, interval: nextInterval } };
}
