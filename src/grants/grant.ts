import type { ClientRequest } from "../issuer/client_request.ts";
import type { Context } from "../issuer/context.ts";
import type { Entitlement } from "../issuer/entitlement.ts";

/** One way to get tokens. It decides what may be issued; the token endpoint alone issues. */
export interface Grant {
  type: string;
  /** The client has authenticated, and may use this grant. */
  redeem(ctx: Context, request: ClientRequest): Entitlement | Promise<Entitlement>;
}
