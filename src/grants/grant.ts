import type { Client } from "../protocol/client.ts";
import type { Parameters } from "../protocol/parameters.ts";
import type { Context } from "../issuer/context.ts";
import type { Entitlement } from "../issuer/tokens.ts";

/** One way to get tokens. It decides what may be issued; the token endpoint alone issues. */
export interface Grant {
  type: string;
  redeem(ctx: Context, request: GrantRequest): Entitlement | Promise<Entitlement>;
}

export interface GrantRequest {
  /** Authenticated, and allowed to use this grant. */
  client: Client;
  parameters: Parameters;
}
