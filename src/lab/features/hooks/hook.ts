import type { CountedScope, FlowScope } from "../../recording/flow_scope.ts";
import type { RedirectDraft } from "../../responses/part.ts";
import type { FaultPlace } from "../../responses/places.ts";
import type { TokenDraft } from "../../tokens/signed_tokens.ts";

/** Every point, in the order in which a response passes them. */
export const hookPoints: readonly HookPoint[] = [
  "token",
  "id_token",
  "userinfo",
  "redirect",
  "response",
];

/** A response of userinfo. */
export interface UserinfoDraft {
  /** The claims about the user. */
  claims: Record<string, unknown>;
}

/** A whole response. */
export interface ResponseDraft {
  /** The HTTP status. */
  status: number;
  /** The headers; the last one of a repeated name. */
  headers: Record<string, string>;
  /** The body as text. */
  body: string;
}

/** What a hook can change, by its point. */
export interface HookDrafts {
  /** The access token in a response of the token endpoint. */
  token: TokenDraft;
  /** The ID token in a response of the token endpoint. */
  id_token: TokenDraft;
  /** A successful response of the userinfo endpoint. */
  userinfo: UserinfoDraft;
  /** An authorization response. */
  redirect: RedirectDraft;
  /** Every response of a protocol endpoint, or of the one that `at` names. */
  response: ResponseDraft;
}

/** Where a hook can change something. */
export type HookPoint = keyof HookDrafts;

/** The request whose response a hook changes. */
export interface HookRequest {
  /** The HTTP method. */
  method: string;
  /** The path below the issuer: `"/oauth2/token"`. */
  path: string;
  /** The client that the request names, or whose flow it continues. */
  client?: string | undefined;
  /** The headers, with names in lower case. */
  headers: Record<string, string>;
  /** The parameters of the query and of a form body. */
  parameters: Record<string, string>;
}

/** Changes a draft in place, or returns another one. */
export type HookChange<Point extends HookPoint> = (
  draft: HookDrafts[Point],
  request: HookRequest,
) => HookDrafts[Point] | void | Promise<HookDrafts[Point] | void>;

/** Limits a hook to some requests. */
export interface HookScope extends FlowScope {
  /**
   * Limits a hook for whole responses to one endpoint: `lab.on("response", change, { at: "token"
   * })`.
   *
   * @default every endpoint
   */
  at?: FaultPlace | undefined;
}

/** A hook that was added to a lab. */
export interface Hook extends CountedScope {
  /** The endpoint that it is limited to. */
  at?: FaultPlace | undefined;
  /** The id of the hook in its lab. */
  id: string;
  /** The point where it changes something. */
  point: HookPoint;
  /** Removes the hook. */
  remove(): void;
  /** Removes the hook at the end of the block that declares it: `using hook = lab.on(…)`. */
  [Symbol.dispose](): void;
}

/** What a test can do to change what the server sends. */
export interface HookTools {
  /**
   * Adds a hook, which changes what the server sends: `lab.on("token", ({ claims }) => {
   * claims.roles = ["admin"]; })`. A changed token is signed again; a hook that throws rejects its
   * request. `lab.on("response", change, { at: "userinfo" })` changes status, headers and body of
   * one endpoint.
   */
  on<Point extends HookPoint>(point: Point, change: HookChange<Point>, scope?: HookScope): Hook;
}
