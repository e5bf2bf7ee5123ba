import { settingsPart } from "../../config/feature_config.ts";
import { linkSchemas } from "../../config/link_schemas.ts";
import { fillDefaults, type WithDefaults } from "../../util/values/members.ts";
import settings from "./settings.json" with { type: "json" };

/** What a client may exchange tokens for. */
export interface ExchangeClientConfig {
  /** Which tokens the client may exchange, and for what (RFC 8693). */
  tokenExchange?: TokenExchangeConfig | undefined;
  /**
   * The servers of other domains that it may get an ID-JAG for (Identity Assertion JWT
   * Authorization Grant), by the token exchange grant.
   */
  idJag?: IdJagConfig[];
}

/** Which tokens a client may exchange, and for what (RFC 8693). */
export interface TokenExchangeConfig {
  /**
   * The clients whose tokens it may present, provided that they are meant for it.
   *
   * @format client-id
   * @default every client
   */
  subjects?: string[];
  /** What the new tokens may be for: resources, or the names of APIs. */
  audiences: string[];
  /** Whether it may receive tokens that do not name it as the actor. */
  impersonation?: boolean;
  /** Whether it may present an actor, whom the new token names. */
  delegation?: boolean;
}

/**
 * A server that a client may get an ID-JAG for. A request only chooses among these entries: what an
 * ID-JAG says about the other domain is copied from here.
 */
export interface IdJagConfig {
  /**
   * The issuer of that server.
   *
   * @format url
   */
  audience: string;
  /**
   * The resource of that server. Entries with the same audience must each have another one.
   *
   * @format uri
   * @default none: that server decides
   */
  resource?: string;
  /**
   * The id that the client has at that server.
   *
   * @format client-id
   */
  clientId: string;
  /**
   * The scopes of that server that may be requested.
   *
   * @format scope
   */
  scopes: string[];
  /**
   * The names of the users who may be named, each with the scopes that the user may have.
   *
   * @default every user, with all of the scopes
   */
  users?: Record<string, string[]>;
  /**
   * The client as which that server signs users in here: the `sub` is that of its ID tokens.
   *
   * @format client-id
   * @default none: the public `sub`
   */
  relyingParty?: string;
  /**
   * Whether to include the email address, by which that server can find the account of the user.
   */
  email?: boolean;
}

// The settings of a client refer to those of its entries.
linkSchemas(settings);

const { defaults } = settings.TokenExchangeConfig;

/** Which tokens a client may exchange, and for what (RFC 8693). */
export type TokenExchangePolicy = WithDefaults<TokenExchangeConfig, typeof defaults>;

/** What a client may exchange tokens for, as it keeps that. */
interface ExchangePolicies extends Omit<ExchangeClientConfig, "tokenExchange"> {
  tokenExchange?: TokenExchangePolicy | undefined;
}

/** Without its policy, a client may exchange nothing. */
export const exchangePolicies = settingsPart<ExchangePolicies>(settings.ExchangeClientConfig);

/** Returns the policies of a client as it keeps them. */
export function keepPolicies(given: object): object {
  const { tokenExchange } = readSettings(given);
  return { tokenExchange: tokenExchange && fillDefaults(defaults, tokenExchange) };
}

/** Reads the settings of a client, as they were given. */
export function readSettings(given: object): ExchangeClientConfig {
  return given;
}
