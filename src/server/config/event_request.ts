import type { TraceContext } from "../http/trace_context.ts";
import type { ErrorCode, RuleDescription } from "../protocol/oauth_error.ts";
import type { AppliedRule } from "../protocol/rule.ts";

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
  brokenRule?: RuleDescription | undefined;
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
