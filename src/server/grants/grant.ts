import type { Settings } from "../config/settings.ts";
import type { ClientRequest } from "../issuer/clients/authenticate_client.ts";
import type { RequestContext } from "../issuer/context.ts";
import type { Authorization } from "../issuer/records/rows.ts";
import type { TableCall } from "../issuer/records/store_calls.ts";
import type { Entitlement } from "../issuer/tokens/entitlement.ts";
import type { TokenResponse } from "../issuer/tokens/issue_tokens.ts";
import type { BoundKeys } from "../model/access_token.ts";
import type { Client } from "../model/client.ts";
import type { FormParameters } from "../protocol/form_parameters.ts";

/** A request to the token endpoint whose client has authenticated, and the keys that it proves. */
export interface TokenRequest extends ClientRequest, BoundKeys {}

/**
 * How requests are redeemed that name no client: the grant itself proves which one sent it. The
 * core checks the key of the client before it redeems the grant.
 */
export interface ClientProof {
  /** Whether a server has such clients. */
  isEnabled(settings: Settings): boolean;
  /** Verifies the grant, and returns its client. */
  prove(ctx: RequestContext, parameters: FormParameters): Promise<ProvenClient>;
}

/** A client that its grant has proved. */
export interface ProvenClient {
  client: Client;
  /** Decides what may be issued, and to the client of which epoch. */
  redeem(jkt: string | undefined): Promise<GrantResult & { client: Client }>;
}

/** A grant type. It decides what may be issued, and the token endpoint issues it. */
export interface Grant {
  type: string;
  /** Checks the grant of a request. The caller has checked that the client may use this type. */
  redeem(ctx: RequestContext, request: TokenRequest): GrantOutcome | Promise<GrantOutcome>;
  /** For requests that name no client. Without it, they are refused. */
  readonly clientProof?: ClientProof;
}

/** The result of `redeem`: what may be issued, or a response that is complete. */
export type GrantOutcome = GrantResult | CompleteResponse;

/** A token response, and what its event reports. A grant that issues no access token makes it. */
export interface CompleteResponse {
  response: object;
  scope: string[];
  authorization: Authorization | undefined;
}

/** What may be issued. */
export interface GrantResult {
  entitlement: Entitlement;
  /** Further members of the token response. */
  responseMembers?: Record<string, string | string[]>;
  /** Further rows to store in the round trip that stores what is issued. */
  rows?: ReadonlyArray<TableCall<void>> | undefined;
  use?: CredentialUse | undefined;
}

/** The use of a presented credential. It comes last, so an earlier failure leaves it unused. */
export interface CredentialUse {
  /** Marks the credential as used, in the round trip that stores what is issued. */
  mark: TableCall<boolean>;
  /** Throws if it was used before. */
  check(isFirst: boolean, issued: TokenResponse): Promise<void>;
}
