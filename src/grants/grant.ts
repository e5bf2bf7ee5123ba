import type { ClientRequest } from "../issuer/clients/client_request.ts";
import type { Context } from "../issuer/context.ts";
import type { Entitlement } from "../issuer/tokens/entitlement.ts";

/** What a client sends to the token endpoint. */
export interface TokenRequest extends ClientRequest {
  /** The thumbprint of the key that its DPoP proof shows, if it sent one. */
  jkt?: string;
}

/** One way to get tokens. It decides what may be issued; the token endpoint alone issues. */
export interface Grant {
  type: string;
  /** The client has authenticated, and may use this grant. */
  redeem(ctx: Context, request: TokenRequest): GrantResult | Promise<GrantResult>;
}

/** What came of a grant. */
export interface GrantResult {
  entitlement: Entitlement;
  /** What the answer says besides the tokens. */
  responseMembers?: Record<string, string>;
  /** Uses up what was presented. It is the last thing that happens: whatever fails before leaves it as it was. */
  consume?: () => Promise<void>;
}
