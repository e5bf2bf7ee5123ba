import { linkSchemas } from "../../../server/config/link_schemas.ts";
import settings from "./settings.json" with { type: "json" };

/** What to evaluate: who would ask for which access, and how. */
export interface EvaluateOptions {
  /**
   * The name or the `sub` of the user. It is left out for the grant `client_credentials` only.
   *
   * @default none: the client acts for itself
   */
  user?: string | undefined;
  /**
   * The id of the client.
   *
   * @default the first client that users sign in to
   */
  client?: string | undefined;
  /**
   * The scope of the request.
   *
   * @default the default scope of the client
   */
  scope?: string | undefined;
  /**
   * How the client gets the tokens. With `refresh_token`, they are those of the first refresh after
   * an authorization code.
   *
   * @default "authorization_code" with a user, otherwise "client_credentials"
   */
  grant?: EvaluatedGrant | undefined;
  /**
   * The parameter `resource`: the APIs that access is for.
   *
   * @default none
   */
  resource?: string | string[] | undefined;
  /**
   * The parameter `audience`, for servers with `audienceParameter`.
   *
   * @default none
   */
  audience?: string | string[] | undefined;
  /**
   * The parameter `claims` (OpenID Connect Core, section 5.5).
   *
   * @default none
   */
  claims?: Record<string, unknown> | undefined;
  /**
   * The parameter `acr_values`, with spaces between them.
   *
   * @default none
   */
  acrValues?: string | undefined;
  /**
   * The parameter `prompt`. Some clients get `offline_access` only with `consent`.
   *
   * @default none
   */
  prompt?: string | undefined;
}

/** How a client gets tokens that can be evaluated. */
export type EvaluatedGrant =
  | "authorization_code"
  | "refresh_token"
  | "client_credentials"
  | "urn:ietf:params:oauth:grant-type:device_code";

export const evaluateSchemas = linkSchemas(settings);
