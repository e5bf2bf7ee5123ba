import type { Refusal } from "../../recording/refusal.ts";
import type { EvaluatedGrant } from "./config.ts";

/** What a client would get. Nothing of it was stored. */
export interface Evaluation {
  /** The id of the client. */
  client: string;
  /** The name of the user; none if the client acts for itself. */
  user?: string | undefined;
  /** How the client gets the tokens. */
  grant: EvaluatedGrant;
  /** The requested scope, and what becomes of it. */
  scope: EvaluatedScope;
  /** Why the server would refuse, and which request. The results before it are those that come. */
  refusal?: EvaluatedRefusal | undefined;
  /** The token response as it comes over the wire: in the shape of the provider that the lab plays. */
  token_response?: EvaluatedResponse | undefined;
  /** The access token. */
  access_token: EvaluatedResult;
  /** The ID token. */
  id_token: EvaluatedResult;
  /** The refresh token, a random text without claims. */
  refresh_token: EvaluatedResult;
  /** The response of userinfo to the access token. */
  userinfo: EvaluatedResult;
  /** What introspection says about the access token. */
  introspection: EvaluatedResult;
}

/** The requested scope, and what becomes of it. */
export interface EvaluatedScope {
  /** The requested scope, or the default one of the client. */
  requested: string[];
  /** The scope of the access token. */
  granted: string[];
  /** What was requested and not granted. */
  dropped: DroppedScope[];
}

/** A scope that was requested and not granted. */
export interface DroppedScope {
  /** The scope. */
  scope: string;
  /** Why, in one sentence. */
  why: string;
}

/** A request that the server would refuse. */
export interface EvaluatedRefusal extends Refusal {
  /** The request, by its place in the catalogue of rules: `"GET /oauth2/authorize"`. */
  at: string;
}

/** A response as it comes over the wire. Long tokens are cut, so that they cannot be used. */
export interface EvaluatedResponse {
  /** The status. */
  status: number;
  /** The header `Content-Type`. */
  content_type: string;
  /** The body. */
  body: string;
}

/** A token, or the response of an endpoint. */
export interface EvaluatedResult {
  /** Whether it would come. */
  comes: boolean;
  /** Why it comes, or does not, in one sentence. */
  why: string;
  /** Why the server would refuse the request for it. */
  refusal?: Refusal | undefined;
  /** The kind of token. */
  format?: "jwt" | "opaque" | undefined;
  /** The claims, as the client would get them. */
  claims: Record<string, unknown>;
}
