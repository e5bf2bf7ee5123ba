import server from "../../../static/settings/server.json" with { type: "json" };
import type { WithDefaults } from "../util/values/members.ts";
import type { CoreClientConfig, PkceRequirement } from "./client_config.ts";

/** Settings with a default that depends on others, or on the server. */
type DerivedClientSetting =
  | "name"
  | "authentication"
  | "authorizationDetailsTypes"
  | "defaultScope"
  | "grantTypes"
  | "pkce"
  | "rememberConsent"
  | "requirePar"
  | "scopes";

/** Settings that a client has in another form. The plain secret is one: it is never stored. */
type ConvertedClientSetting =
  | "secret"
  | "sectorIdentifierUri"
  | "defaultMaxAge"
  | "refreshReuseGrace";

type StoredClientSettings =
  & Omit<
    WithDefaults<CoreClientConfig, typeof clientDefaults>,
    DerivedClientSetting | ConvertedClientSetting | "consent"
  >
  & Pick<CoreClientConfig, "consent">
  & Required<Pick<CoreClientConfig, Exclude<DerivedClientSetting, "pkce">>>;

/** A secret of a client, as the server keeps it. */
export interface ClientSecret {
  /** Its SHA-256, in base64url. */
  hash: string;
  /** Whether it is too long to be guessed. Those that the server generates are. */
  isLong: boolean;
  /**
   * The secret itself, for the HMAC of `client_secret_jwt` and of ID tokens with HS256. It is
   * encrypted in the store. The secrets of other clients have none.
   */
  encryptedText?: string | undefined;
  /** When it was stored, in milliseconds. Undefined for one of the configuration. */
  since?: number | undefined;
}

/** A client as the server knows it: its settings with every default, and how it came to be. */
export interface Client extends StoredClientSettings {
  /** Its valid secrets, the earlier one first: while it changes over to another, it has two. */
  secrets: readonly ClientSecret[];
  /**
   * What the operator set when the client was stored, without its secret. `client set` starts from
   * it, so that defaults keep following.
   */
  givenSettings?: CoreClientConfig;
  /** In the store, absent unless it was given: the server decides, under its current profile. */
  pkce?: PkceRequirement | undefined;
  /** The resources that the client may ask tokens for. Undefined allows every one of the server. */
  allowedResources?: string[] | undefined;
  /** The oldest sign-in that is accepted when a request has no `max_age`, in seconds. */
  defaultMaxAge?: number | undefined;
  /** How long a used refresh token still returns its successor, if it was given, in seconds. */
  refreshReuseGrace?: number | undefined;
  /** The host that decides who shares pairwise subjects (OpenID Connect Core, section 8.1). */
  sector: string;
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

/** The members of a client that are no settings. */
const otherMembers: Readonly<Record<Exclude<keyof Client, keyof CoreClientConfig>, true>> = {
  secrets: true,
  givenSettings: true,
  allowedResources: true,
  sector: true,
  trusted: true,
  registration: true,
  document: true,
  instance: true,
  epoch: true,
};

/** Whether a member of a client is a setting, of the core or of a feature. */
export function isClientSetting(name: string): boolean {
  return !Object.hasOwn(otherMembers, name);
}

/**
 * What the server stores about a registration, in addition to its settings (RFC 7592).
 */
export interface Registration {
  /** SHA-256 of the token with which the client manages its registration. */
  tokenHash: string;
  /** In seconds. */
  issuedAt: number;
  /** Whether the client presented an initial access token when it registered. It never changes. */
  initialAccess?: boolean;
  metadata: ClientMetadata;
}

export type RegisteredClient = Client & { registration: Registration };

/** What a client declares about itself, in the words of the protocol (RFC 7591, section 2). */
export type ClientMetadata = Readonly<Record<string, unknown>>;

/** Whether a client has no credentials (OAuth 2.1, section 2.1). */
export function isPublic({ authentication }: Client): boolean {
  return authentication.length === 1 && authentication[0] === "none";
}

/** Whether a client authenticates with each request that it makes itself. */
export function alwaysAuthenticates({ authentication }: Pick<Client, "authentication">): boolean {
  return !authentication.includes("none");
}

/** Whether a client described itself, so that it is confined to what its source offers. */
export function describesItself({ registration, document }: Client): boolean {
  return registration !== undefined || document !== undefined;
}

/** Whether a client gets refresh tokens: only where the server takes them, too. */
export function mayRefresh(
  { grantTypes }: Client,
  server: { grantTypes: readonly string[] },
): boolean {
  return grantTypes.includes("refresh_token") && server.grantTypes.includes("refresh_token");
}

/**
 * Returns the secrets that a client keeps when its settings change. Returns undefined if the
 * changed client has none, or needs one as a key of which only the hash is stored.
 */
export function keptSecrets(before: Client, changed: Client): readonly ClientSecret[] | undefined {
  const [needed] = changed.secrets;
  if (!needed || before.secrets.length === 0) return undefined;
  if (needed.encryptedText === undefined) {
    return before.secrets.map(({ encryptedText: _, ...secret }) => secret);
  }
  const haveTexts = before.secrets.every(({ encryptedText }) => encryptedText !== undefined);
  return haveTexts ? before.secrets : undefined;
}

/** How a token, a code or a request refers to its client. */
export interface ClientReference {
  clientId: string;
  /** Absent if the client had none: clients of the configuration have none. */
  clientEpoch?: string | undefined;
}

/** Returns a reference to a client, for something that is issued to it. */
export function referenceTo({ id, epoch }: Client): ClientReference {
  return { clientId: id, ...epoch !== undefined && { clientEpoch: epoch } };
}

/**
 * Whether a reference still refers to a client. It does not if the client was disabled since, or if
 * its id was reassigned.
 */
export function refersTo(
  { clientId, clientEpoch }: ClientReference,
  { id, epoch }: Client,
): boolean {
  return id === clientId && epoch === clientEpoch;
}

/**
 * Gives a client that was rebuilt from other settings the identity of the one that it replaces.
 * Without the epoch, everything that has ended would become active again.
 */
export function withIdentityOf<T extends Client>(
  { id, instance, epoch, disabled }: Client,
  made: T,
): T {
  return {
    ...made,
    id,
    disabled,
    ...instance !== undefined && { instance },
    ...epoch !== undefined && { epoch },
  };
}

/** The defaults of an interface that depend on no other setting, as the data of it has them. */
export type Defaults<T, Data extends { defaults: object }> = Required<
  Pick<T, keyof T & keyof Data["defaults"]>
>;

export const clientDefaults = server.CoreClientConfig.defaults as Defaults<
  CoreClientConfig,
  typeof server.CoreClientConfig
>;
