import type { WithDefaults } from "../util/defaults.ts";
import type { ClientConfig, TokenExchangeConfig } from "./client_config.ts";
import type { clientDefaults, tokenExchangeDefaults } from "./client_defaults.ts";

/** Settings with a default that depends on others, or on the server. */
type DerivedClientSetting =
  | "name"
  | "authentication"
  | "authorizationDetailsTypes"
  | "defaultScope"
  | "grantTypes"
  | "rememberConsent"
  | "requirePar"
  | "scopes";

/** Settings that a client has in another form. The plain secret is one: it is never stored. */
type ConvertedClientSetting = "secret" | "sectorIdentifierUri" | "defaultMaxAge" | "tokenExchange";

type StoredClientSettings =
  & Omit<
    WithDefaults<ClientConfig, typeof clientDefaults>,
    DerivedClientSetting | ConvertedClientSetting
  >
  & Required<Pick<ClientConfig, DerivedClientSetting>>;

/** A secret of a client, as the server stores it. */
export type ClientSecret = Pick<
  Client,
  "secretHash" | "hasLongSecret" | "encryptedSecret" | "secretSince"
>;

/** A client as the server knows it: its settings with every default, and how it came to be. */
export interface Client extends StoredClientSettings {
  /** SHA-256 of the secret, in base64url. */
  secretHash?: string | undefined;
  /** Whether the secret is too long to be guessed. Those that the server generates are. */
  hasLongSecret?: boolean | undefined;
  /**
   * The secret, which the HMAC of `client_secret_jwt` needs. It is encrypted in the store. No other
   * client has it.
   */
  encryptedSecret?: string | undefined;
  /** When the secret was stored, in milliseconds. Undefined for one of the configuration. */
  secretSince?: number | undefined;
  /** A newer secret, which is valid as well while the client changes over to it. */
  nextSecret?: ClientSecret | undefined;
  /**
   * What the operator set when the client was stored, without its secret. `client set` starts from
   * it, so that defaults keep following.
   */
  givenSettings?: ClientConfig;
  /** The resources that the client may ask tokens for. Undefined allows every one of the server. */
  allowedResources?: string[];
  /** The oldest sign-in that is accepted when a request has no `max_age`, in seconds. */
  defaultMaxAge?: number | undefined;
  /** The host that decides who shares pairwise subjects (OpenID Connect Core, section 8.1). */
  sector: string;
  /** What the client may exchange tokens for. Without it, the client may exchange none. */
  tokenExchange?: TokenExchangePolicy | undefined;
  /** Whether the operator configured the client, or trusts those that register as it did. */
  trusted: boolean;
  /** The registration of a client that registered itself and manages that. */
  registration?: Registration;
  /** The metadata document of a client whose id is a URL. Times are in milliseconds. */
  document?: { readAt: number; freshUntil: number };
  /** Distinguishes a client in the store from an earlier one with the same id. */
  instance?: string;
  /** Changes when the client is disabled: what was issued under an earlier epoch is not active. */
  epoch?: string;
}

/** Which tokens a client may exchange, and for what (RFC 8693). */
export type TokenExchangePolicy = WithDefaults<TokenExchangeConfig, typeof tokenExchangeDefaults>;

/**
 * What the server stores about a registration, beside the settings that follow from it (RFC 7592).
 */
export interface Registration {
  /** SHA-256 of the token with which the client manages its registration. */
  tokenHash: string;
  /** In seconds. */
  issuedAt: number;
  /** Whether the client presented an initial access token when it registered. It never changes. */
  initialAccess?: boolean;
  /** The metadata with which the client registered. */
  metadata: ClientMetadata;
}

/** A client that registered itself. */
export type RegisteredClient = Client & { registration: Registration };

/** What a client declares about itself, in the words of the protocol (RFC 7591, section 2). */
export type ClientMetadata = Readonly<Record<string, unknown>>;

/** Whether a client has no credentials (OAuth 2.1, section 2.1). */
export function isPublic({ authentication }: Client): boolean {
  return authentication.length === 1 && authentication[0] === "none";
}

/** Whether a client takes part in any kind of logout. Only then does it need a `sid`. */
export function takesPartInLogout(client: Client): boolean {
  const { postLogoutRedirectUris, backchannelLogoutUri, frontchannelLogoutUri } = client;
  return postLogoutRedirectUris.length > 0 || backchannelLogoutUri !== undefined ||
    frontchannelLogoutUri !== undefined;
}

/** Whether a client gets refresh tokens. */
export function mayRefresh({ grantTypes }: Client): boolean {
  return grantTypes.includes("refresh_token");
}

/** Returns a client with each of its secrets: during a rollover, it has two. */
export function withEachSecret(client: Client): Client[] {
  return client.nextSecret ? [client, { ...client, ...client.nextSecret }] : [client];
}
