import type { ClientRequest } from "../issuer/clients/client_request.ts";
import type { Context } from "../issuer/context.ts";
import type { Entitlement } from "../issuer/tokens/entitlement.ts";

/** A request to the token endpoint whose client has authenticated. */
export interface TokenRequest extends ClientRequest {
  /** The thumbprint of the key of its DPoP proof, if it has one. */
  jkt?: string | undefined;
}

/** A grant type. It decides what may be issued; the token endpoint issues it. */
export interface Grant {
  type: string;
  /** Redeems what the client presents. The client may use this grant. */
  redeem(ctx: Context, request: TokenRequest): GrantResult | Promise<GrantResult>;
}

/** What a grant decided. */
export interface GrantResult {
  entitlement: Entitlement;
  /** Further members of the token response. */
  responseMembers?: Record<string, string>;
  /**
   * Consumes the presented credential. This happens last, so an earlier failure leaves it unused.
   */
  consume?: () => Promise<void>;
}
