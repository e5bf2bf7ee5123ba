import type { TraceContext } from "../http/trace_context.ts";
import type { ErrorCode, Refusal, RuleSummary } from "../protocol/oauth_error.ts";
import type { AppliedRule } from "../protocol/rule.ts";

/** Is called with each event, and the request during which it happened, if there was one. */
export type ServerEventListener = (event: ServerEvent, request?: EventRequest) => void;

/** The listener of a server that is configured without one. */
export const ignoreEvents: ServerEventListener = () => {};

/** An event, in the past tense: with ids and hashes, never with a secret. */
export type ServerEvent =
  /** `unasked` if the user saw no page, because what wraps the server answered in their place. */
  | { type: "sign_in.succeeded"; user: string; sid: string; unasked?: boolean }
  /** No page shows the reason. What was typed as an unknown name may be a password. */
  | { type: "sign_in.failed"; user?: string; reason?: string }
  /** What a user allowed after a sign-in by password has ended: a passkey is required by now. */
  | { type: "passkey.required"; user: string; client: string; authorization: string }
  /** By the user in a session, or by an administrator; `only` and `also` are about the password. */
  | {
    type: "passkey.changed";
    user: string;
    change: "added" | "renamed" | "removed" | "only" | "also";
    passkey?: string;
    sid?: string;
  }
  /** A synced passkey signed with a counter that does not grow; another one is refused then. */
  | { type: "passkey.counter_repeated"; user: string; passkey: string }
  | { type: "session.ended"; sid: string }
  /** A user changed the password; the session stays. */
  | { type: "password.changed"; user: string; sid: string }
  /** A user chose a password by a link of an administrator. */
  | { type: "password.chosen"; user: string; link: "invite" | "reset" }
  | {
    type: "consent.given";
    user: string;
    client: string;
    scope: string[];
    /** What the user did not allow of the requested scope. */
    refused?: string[];
    unasked?: boolean;
  }
  | { type: "consent.denied"; user: string; client: string; unasked?: boolean }
  | { type: "consent.withdrawn"; subject: string; client: string }
  | { type: "authorization.revoked"; authorization: string; client: string; reason: string }
  | { type: "request.pushed"; client: string }
  | { type: "request.canceled"; client: string }
  /** A user is in none of the groups of a client. */
  | { type: "user.refused"; user: string; client: string }
  | { type: "code.issued"; authorization: string; client: string; user: string; scope: string[] }
  | { type: "device.began"; device: string; client: string; scope: string[] }
  | { type: "device.allowed"; device: string; authorization: string; client: string; user: string }
  | { type: "device.denied"; device: string; client: string }
  | { type: "user_code.refused" }
  /** A client asks a user, who has to learn of it: by a message, or on the account page. */
  | { type: "backchannel.began"; request: string; client: string; user: string; scope: string[] }
  | {
    type: "backchannel.allowed";
    request: string;
    authorization: string;
    client: string;
    user: string;
  }
  | { type: "backchannel.denied"; request: string; client: string }
  | { type: "ping.delivered"; request: string; client: string; attempt: number }
  | { type: "ping.failed"; request: string; client: string; attempt: number; isLast: boolean }
  | {
    type: "token.issued";
    client: string;
    grantType: string;
    scope: string[];
    authorization?: string;
  }
  /** The groups of a user are in userinfo alone: they would make the ID token too long. */
  | { type: "groups.left_out"; user: string; client: string }
  /** A used refresh token came again within `refreshReuseGrace`, and returned its successor. */
  | { type: "refresh.repeated"; authorization: string; client: string }
  | { type: "token.revoked"; client: string; kind: "access" | "refresh" }
  | { type: "client.registered"; client: string }
  | { type: "client.changed"; client: string }
  | { type: "client.deleted"; client: string }
  | { type: "client.refused"; client: string; reason: string }
  | ({ type: "request.handled"; status: number; error?: ErrorCode } & RequestedPath)
  | (
    & {
      type: "request.refused";
      status: number;
      error: ErrorCode;
    }
    & Refusal
    & LoggedDetails
    & RequestedPath
  )
  /** A peer that is not a trusted proxy sent a header of proxies. */
  | { type: "forwarded_header.ignored"; peer: string }
  /** A trusted proxy did not name the sender of a request in `X-Forwarded-For`. */
  | { type: "forwarded_header.missing"; peer: string }
  /** A request of the server to another one failed. */
  | { type: "outbound.failed"; what: string; url: string; reason: string }
  | { type: "logout.delivered"; client: string; sid: string; attempt: number }
  | { type: "logout.failed"; client: string; sid: string; attempt: number; isLast: boolean }
  /** An administrator changed something, beside the server or in it. */
  | {
    type: "admin.changed";
    by: string;
    command: string;
    target: string;
    details: string[];
    /** When, in ISO 8601: the server learns of it a moment later. */
    at: string;
  }
  | { type: "key.made"; kid: string; alg: string }
  | { type: "key.rotated"; kid: string; alg: string; from: number }
  | { type: "key.retired"; kid: string; alg: string; reason: string }
  /** The key that signed is missing in the store, and was not removed: the store has lost rows. */
  | { type: "key.lost"; kid: string; alg: string }
  /** After an upgrade, so many users of an earlier version can be found by their claims. */
  | { type: "users.indexed"; users: number }
  | { type: "rows.swept"; rows: number }
  /** The server's clock differs from the store's, so expired rows are not deleted. */
  | { type: "clock.differs"; ahead: number }
  | { type: "work.finished"; what: string }
  | { type: "work.failed"; what: string; cause: unknown }
  /** Requests were refused with the status 503, because too many waited for the thread. */
  | { type: "server.overloaded"; requests: number }
  | { type: "server.failed"; method: string; path: string; cause: unknown };

/**
 * What logs have of the facts of a broken rule: without secrets, and of so many refusals a minute.
 * With the setting `hints`, what the rule itself describes replaces it.
 */
export interface LoggedDetails {
  /** What came. */
  received?: string | undefined;
  /** What was expected. */
  expected?: string | undefined;
  /** What an administrator can change. */
  remedy?: Remedy | undefined;
}

/** A change of a client's settings, or a user's, that could allow a request. */
export interface Remedy {
  /** The setting: `"redirectUris"`. */
  setting: string;
  /** The value to add, or to set. */
  value?: string;
  /** The host of what came, if the client has no redirect URI there: it may be an attacker's. */
  foreignHost?: string;
  /** The user whose setting it is, instead of the client's. */
  user?: { name: string; kind: ClientKind };
}

/** What a request asked for. */
export interface RequestedPath {
  /** The HTTP method; `other` if no route has it. */
  method: string;
  /** The path of the route, such as `/oauth2/register/:id`; `unknown` if there is none. */
  path: string;
  /** The path that leads nowhere, without its query: up to 200 printable characters. */
  unknownPath?: string;
}

/** How a client came to the server. */
export type ClientKind = "configured" | "stored" | "registered" | "document";

/**
 * What a request concerns. No id is a credential: where only a secret names something, its id is
 * the SHA-256 of that secret.
 */
export interface ConcernedIds {
  /** The sign-in and consent that the request starts or continues. */
  interaction?: string;
  /** The authorization request that was pushed, or came by POST. */
  pushedRequest?: string;
  /** The request of a device. */
  device?: string;
  /** The request of a client that asks a user over the back channel. */
  backchannelRequest?: string;
  /** The authorization from which a code or token was issued, even if it was revoked. */
  authorization?: string;
  /** The access token that a client got for itself, or the first of those exchanged for it. */
  ownToken?: string;
}

/** What is learned about a request while the server responds to it. */
export interface RequestFacts extends ConcernedIds {
  /** The client that the request names, if it exists. Its authentication may have failed. */
  client?: string;
  /**
   * How that client came: it is in the configuration, an operator stored it, it registered itself,
   * or its id is the URL of a metadata document.
   */
  clientKind?: ClientKind;
  /** The grant type of a token request, if the server knows it. */
  grantType?: string;
  /** Why the request was refused. A redirect may carry it to the client. */
  error?: ErrorCode;
  /** The rule that the request broke. */
  brokenRule?: RuleSummary | undefined;
}

/** The request during which an event happened. */
export interface EventRequest extends RequestFacts {
  /** The id of the request, and of its span in the trace: 16 hexadecimal digits. */
  id: string;
  /** The trace: that of a trusted proxy, or a new one. */
  trace: TraceContext;
  /** The address of the sender, behind all trusted proxies; undefined if it is unknown. */
  address?: string | undefined;
  /** When the request began, by the server's clock, in milliseconds. */
  startedAt: number;
  /** How long ago that was, in milliseconds. */
  duration: number;
  /** The rules that were applied to the request until now, in order. */
  rules: readonly AppliedRule[];
}
