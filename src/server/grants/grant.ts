import type { ClientRequest } from "../issuer/clients/client_request.ts";
import type { RequestContext } from "../issuer/context.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import type { Entitlement } from "../issuer/tokens/entitlement.ts";
import type { TokenResponse } from "../issuer/tokens/issue_tokens.ts";

/** A request to the token endpoint whose client has authenticated. */
export interface TokenRequest extends ClientRequest {
  /** The thumbprint of the key of the DPoP proof, if the request has one. */
  jkt?: string | undefined;
}

/** A grant type. It decides what may be issued, and the token endpoint issues it. */
export interface Grant {
  type: string;
  /** Checks the grant of a request. The caller has checked that the client may use this type. */
  redeem(ctx: RequestContext, request: TokenRequest): GrantOutcome | Promise<GrantOutcome>;
}

/** The result of `redeem`: what may be issued, or a response that is complete. */
export type GrantOutcome = GrantResult | CompleteResponse;

/** The response of a grant that issues something other than an access token. */
export interface CompleteResponse {
  response: Record<string, unknown>;
  scope: string[];
  authorization: Authorization;
}

/** What may be issued. */
export interface GrantResult {
  entitlement: Entitlement;
  /** Further members of the token response. */
  responseMembers?: Record<string, string | string[]>;
  /**
   * Marks the presented credential as used, and throws if it was used before. The token endpoint
   * calls it last, so an earlier failure leaves the credential unused.
   */
  consume?: (issued: TokenResponse) => Promise<void>;
}
