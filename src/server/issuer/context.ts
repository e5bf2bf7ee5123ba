import type { ConcernedIds, EventRequest, RequestFacts, ServerEvent } from "../config/events.ts";
import type { Offer } from "../config/offer.ts";
import type { Settings } from "../config/settings.ts";
import type { ReadOrigin, RequestOrigin } from "../http/client_address.ts";
import type { CookieJar } from "../http/cookies.ts";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { Client, ClientReference } from "../model/client.ts";
import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import type { EndpointField, ServerMetadata } from "../model/server_metadata.ts";
import type { User } from "../model/user.ts";
import type { ConsentCaution } from "../pages/consent.tsx";
import type { Language } from "../pages/languages/languages.ts";
import type { OAuthError } from "../protocol/oauth_error.ts";
import type { PolledRequest } from "../protocol/pending_request.ts";
import type { AppliedRule, ApplyRule } from "../protocol/rule.ts";
import type { Row } from "../store/store.ts";
import type { BoundedMap } from "../util/values/bounded_map.ts";
import type { GivenConsent } from "./authorizations/given_consent.ts";
import type { ExternalKeys } from "./external/external_keys.ts";
import type { Cipher } from "./keys/cipher.ts";
import type { DecryptionKeys } from "./keys/create_next_key.ts";
import type { DeriveSecret } from "./keys/derive.ts";
import type { Keys } from "./keys/keys.ts";
import type { Budget } from "./limits/budget.ts";
import type { FairLimit } from "./limits/fair_limit.ts";
import type { FetchBudgets } from "./limits/fetch_budgets.ts";
import type { GuessLimits } from "./limits/guess_limits.ts";
import type { ChooseCredential } from "./random.ts";
import type { Records } from "./records/records.ts";
import type { OpaqueToken } from "./records/rows.ts";
import type { SignedInUser } from "./sessions/signed_in_user.ts";
import type { WrapperAnswers } from "./wrapper_answers.ts";

/** What a user allowed. */
export interface AllowedRequest {
  client: Client;
  signedIn: SignedInUser;
  /** The consent, if the user gives it in this request. */
  given?: GivenConsent | undefined;
}

/** How one request is completed whose response is no redirect: its client polls for it. */
export interface RequestCompletion {
  /** The grant by which the client polls. */
  readonly grantType: string;
  /** What events name as the subject of the request. */
  readonly concerns: ConcernedIds;
  /** Returns what the user must read first: no redirect URI shows where the request comes from. */
  caution(language: Language): Promise<ConsentCaution>;
  /** Stores what the user allowed. */
  allow(ctx: Context, allowed: AllowedRequest): Promise<void>;
  /** Stores that the user denied it. */
  deny(ctx: Context, client: Client): Promise<void>;
  /** Sends the user back. */
  respond(ctx: RequestContext, client: Client, isAllowed: boolean): Promise<ResponseData>;
}

/** A parameter of requests whose values a feature issues. */
export interface PresentedParameter {
  readonly parameter: string;
  /** Looks the value up, so that the context notes what it concerns. */
  lookUp(ctx: Context, value: string): Promise<unknown>;
  /** The name of the credential that it holds, if the value can be redeemed. */
  readonly credential?: string;
  /** Finds its row, even if it expired or was used. */
  findRow?(ctx: Context, value: string): Promise<Row<unknown> | undefined>;
  /** Returns the id of the client that a user with this value decides about. */
  findClient?(ctx: Context, value: string): Promise<string | undefined>;
  /** Replaces such values in a path that is logged. */
  hideIn?(path: string): string;
}

/** What a feature does for clients when a session ends. What was issued in it ends by itself. */
export interface SessionEnd {
  /** The setting that makes the end of a session concern a client, which then needs its `sid`. */
  readonly clientSetting: string;
  /** Notifies the clients. A session may end more than once. */
  notify?(ctx: Context, sid: string): Promise<void>;
  /** Returns what the user's browser loads in frames of the page that confirms a sign-out. */
  frames?(ctx: Context, sid: string): Promise<readonly string[]>;
}

/** Work that the server repeats in the background. */
export interface MaintenanceTask {
  name: string;
  /** Time between two runs, in milliseconds, unless a run leaves more to do. */
  interval: number;
  /** Whether this server has such work; without it, every server has. */
  enabled?(ctx: Context): boolean;
  run(ctx: Context): Promise<"more" | void>;
}

/**
 * Where clients come from that the operator did not add: they describe themselves, or an issuer
 * vouches for them. Without its source, such a client is disabled or unknown.
 */
export interface ClientSource {
  /** Whether this server has such clients; without it, every server may. */
  enabled?(settings: Settings): boolean;
  /** Whether a client comes from here. */
  isSourceOf(client: Client): boolean;
  /** Returns what the server offers to such a client. The core confines the client to it. */
  offerTo(ctx: Context, client: Client): Offer;
  /** Lists its clients that are not among the stored ones. */
  list?(ctx: Context): Promise<Client[]>;
  /** Finds a client that is not among the stored ones. It never fetches an unknown one. */
  find?(ctx: Context, id: string): Promise<Client | undefined>;
  /**
   * Finds the client that something was issued to, if it is the client that it was then. Returns
   * undefined at once for an id of another source.
   */
  findReferred?(ctx: Context, reference: ClientReference): Promise<Client | undefined> | undefined;
  /** Finds the client that a request names. The sender pays for fetching an unknown one. */
  lookUp?(ctx: RequestContext, id: string): Promise<Client | undefined>;
  /** Whether `find` knows the id, even that of a disabled client. It fetches nothing. */
  knows?(ctx: Context, id: string): Promise<boolean>;
  /** Returns why a client could not be read, for its developers. */
  problemOf?(ctx: Context, id: string): string | undefined;
  /** Keeps a client for as long as anything that was issued to it may live. */
  keep?(ctx: Context, client: Client, until: number): Promise<void>;
  /** Called when a client got tokens. */
  noteUse?(ctx: Context, client: Client): Promise<void>;
}

/** What a client may demand to get in an envelope. */
export type SealedKind = "idToken" | "userinfo" | "introspection" | "authorizationResponse";

/**
 * Encrypts what clients get, and decrypts what they send. Without it, stored clients that demand an
 * envelope are refused, because their setting is unknown, and so is what comes in one.
 */
export interface Envelope extends DecryptionKeys {
  /** The setting by which a client demands it for ID tokens: for others, nothing is called. */
  readonly idTokenSetting: string;
  /** Returns what the client gets; undefined if it demands no envelope, which needs no text. */
  seal(
    ctx: Context,
    client: Client,
    kind: SealedKind,
    text: () => string,
  ): Promise<string> | undefined;
  /** Returns what was inside; undefined for any reason for which it cannot be opened. */
  open(ctx: Context, client: Client, text: string): Promise<string | undefined>;
}

/**
 * Reads what the connection of a request proves about its sender: the key of a certificate. Without
 * it, the server refuses each client, token and stored row that demands such a proof.
 */
export interface ConnectionProof {
  /** Refuses a request that claims a proof which its sender cannot vouch for. */
  check(ctx: RequestContext): void;
  /** Returns the SHA-256 of the certificate, in base64url, if the connection has one. */
  thumbprint(ctx: RequestContext): Promise<string | undefined>;
  /** Returns why the certificate does not authenticate a client by one of its methods. */
  problemOf(
    ctx: RequestContext,
    client: Client,
    method: ClientAuthenticationMethod,
  ): Promise<string | undefined>;
}

/** What the working parts of the core ask the features. */
export interface FeatureAnswers {
  /** Returns how to complete a polled request, or undefined if no feature handles it. */
  readonly completionOf: (pending: PolledRequest) => RequestCompletion | undefined;
  readonly presented: readonly PresentedParameter[];
  readonly clientSources: readonly ClientSource[];
  readonly sessionEnds: readonly SessionEnd[];
  readonly tasks: readonly MaintenanceTask[];
  /** Undefined if keys and secrets are stored in plain text. */
  readonly cipher: Cipher | undefined;
  readonly envelope: Envelope | undefined;
  readonly connectionProof: ConnectionProof | undefined;
  /** Whether the server has a page at a path below the issuer, so that others may link to it. */
  readonly hasPage: (path: string) => boolean;
}

/** Runs work that no request waits for. */
export interface Background {
  /** Starts some work. If it throws, a `work.failed` event is emitted. */
  begin(task: string, work: () => Promise<void>): void;
  /** Waits until all work is done. */
  idle(): Promise<void>;
}

/** Returns a part that a server has once, and makes it when it is first needed. */
export type PartOf = <Part>(create: (ctx: Context) => Part) => Part;

/** What every part of a running server works with. It is created once and frozen. */
export interface Context extends WrapperAnswers {
  readonly settings: Settings;
  /** Returns the metadata, which is computed when it is first needed. */
  readonly metadata: () => ServerMetadata;
  /** Returns the metadata as JSON, as it is sent. */
  readonly metadataText: () => string;
  readonly records: Records;
  readonly encryption: Cipher;
  readonly keys: Keys;
  readonly externalKeys: ExternalKeys;
  readonly derive: DeriveSecret;
  /** By the token itself: an API presents the same token again and again. */
  readonly verifiedTokens: BoundedMap<VerifiedToken>;
  readonly cookies: CookieJar;
  /** Limits on guesses at everything that is short enough to be guessed. */
  readonly guessLimits: Readonly<Record<"passwords" | "clientSecrets", GuessLimits>>;
  /** Creates limits on guesses at another secret of users. */
  readonly limitUserGuesses: () => GuessLimits;
  readonly features: FeatureAnswers;
  readonly partOf: PartOf;
  readonly fetchBudgets: FetchBudgets;
  /** Sends requests to URLs of untrusted clients, a limited number at a time. */
  readonly untrustedFetches: FairLimit;
  /**
   * What unauthenticated requests make us store, by the network of the sender, in characters of
   * JSON.
   */
  readonly storedBytes: Budget;
  /** Checks a few passwords at a time: each check keeps a core busy for a fifth of a second. */
  readonly passwordLimit: FairLimit;
  readonly background: Background;
  /** Starts the repeated tasks that are due. There is no timer: requests and probes call it. */
  readonly maintain: () => void;
  readonly readOrigin: ReadOrigin;
  /** Chooses credentials in place of random ones. Only what wraps a server can pass it. */
  readonly chooseCredential?: ChooseCredential | undefined;
  /** Returns why a user may not continue with the request. Only what wraps a server can pass it. */
  readonly refuseUser?: ((user: User) => Promise<OAuthError | undefined>) | undefined;
  /** Where a client sent the request, without the query, if that is another URL of its endpoint. */
  readonly sentTo?: string | undefined;
  /** In milliseconds. */
  readonly now: () => number;
  /** The network that sent the request; undefined if unknown, or in the background. */
  readonly sender?: string | undefined;
  readonly emit: (event: ServerEvent) => void;
  /** Notes what is learned about the request, if there is one, for its events. */
  readonly note: (facts: RequestFacts) => void;
  /** Applies a rule. During a request, it notes whether the rule holds. */
  readonly apply: ApplyRule;
}

/** What an endpoint works with: the parts of the server, and what belongs to this one request. */
export interface RequestContext extends Context {
  readonly request: IncomingRequest;
  readonly origin: RequestOrigin;
  /** The client that sent the request, once it is known. */
  client?: Client;
  /** What is learned about the request, for its events. */
  readonly facts: RequestFacts;
  /** The rules that were applied to the request, in order; none if there is no listener. */
  readonly rules: readonly AppliedRule[];
  /** Returns the page that will show what happened, if there is one. */
  readonly flowUrl?: RequestObserver["flowUrl"] | undefined;
  /** Returns the same page at an address of the server, for error responses to link to. */
  readonly errorUri?: RequestObserver["errorUri"] | undefined;
  /** Why the request is refused before its endpoint looks at it. */
  readonly refusal?: OAuthError | undefined;
}

/** What wraps the server, and looks at one request. */
export interface RequestObserver {
  /** Called with each event of the request. */
  onEvent(event: ServerEvent, request: EventRequest): void;
  /** Returns the page that will show what happened, if there is one. */
  flowUrl(): string | undefined;
  /**
   * Returns the same page at an address of the server, for error responses to link to. With this
   * function, challenges explain their errors, too.
   */
  errorUri?: ((address: string) => string | undefined) | undefined;
  /** Why the request is refused before its endpoint looks at it. */
  refusal?: OAuthError | undefined;
  /** Where the client sent the request, without the query, if that is another URL of its endpoint. */
  sentTo?: Context["sentTo"];
  /** Chooses the credentials that the request creates, in place of random ones. */
  chooseCredential?: ChooseCredential | undefined;
  /** Returns why a user may not continue with the request, or undefined. */
  refuseUser?: Context["refuseUser"];
}

/** An access token that was read before. */
export interface VerifiedToken extends OpaqueToken {
  /** The key of a JWT, whose signature was verified. An opaque token is read again. */
  kid?: string | undefined;
}

/** Returns the URL of an endpoint, as the metadata names it. */
export function endpointUrl(ctx: Context, field: EndpointField): string {
  const url = ctx.metadata()[field];
  if (url === undefined) throw new Error(`The metadata has no '${field}'.`);
  return url;
}

/** Returns the path of a page, for links to it, if the server has the page. */
export function pagePath(ctx: Context, path: string): string | undefined {
  return ctx.features.hasPage(path) ? `${ctx.settings.base}${path}` : undefined;
}

/** Returns the URL of an endpoint for browsers, or for a user at a terminal. */
export function browserEndpointUrl(ctx: Context, field: EndpointField): string {
  const { origin } = new URL(ctx.settings.frontChannelUrl);
  return `${origin}${new URL(endpointUrl(ctx, field)).pathname}`;
}

/**
 * Returns the URLs by which a client can know the endpoint that it sent a request to: at every address
 * of the server, where only the origins differ, and where it came in.
 */
export function endpointUrls(ctx: Context, field: EndpointField): string[] {
  const { sentTo } = ctx;
  const { pathname } = new URL(sentTo ?? endpointUrl(ctx, field));
  const urls = ctx.settings.addresses.map((address) => `${new URL(address).origin}${pathname}`);
  return sentTo === undefined || urls.includes(sentTo) ? urls : [...urls, sentTo];
}

/**
 * Declares a part that each server has once, and makes when it is first needed: tables, budgets, the
 * settings of a feature. Call it at the top level of a module: a part is known by its function.
 */
export function serverPart<Part>(create: (ctx: Context) => Part): (ctx: Context) => Part {
  return (ctx) => ctx.partOf(create);
}

/** Creates the function that keeps the parts of a server, each by the function that makes it. */
export function createPartOf(ctx: () => Context): PartOf {
  const parts = new Map<unknown, unknown>();
  return <Part>(create: (ctx: Context) => Part) => {
    if (!parts.has(create)) parts.set(create, create(ctx()));
    // The entry of a function is what the function returned.
    return parts.get(create) as Part;
  };
}
