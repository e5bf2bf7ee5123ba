import type { ConcernedIds, LoggedDetails } from "../config/events.ts";
import type { ReportProblem } from "../config/problems.ts";
import type { Offer } from "../config/settings.ts";
import type { ResponseData } from "../http/response_data.ts";
import type { Client, ClientReference } from "../model/client.ts";
import type { ClientAuthenticationMethod } from "../model/client_config.ts";
import type { User } from "../model/user.ts";
import type { ConsentCaution } from "../pages/consent.tsx";
import type { Content, GuardedForm } from "../pages/frame.tsx";
import type { Language } from "../pages/languages/languages.ts";
import type { FormParameters } from "../protocol/form_parameters.ts";
import type { OAuthError } from "../protocol/oauth_error.ts";
import type { PolledRequest } from "../protocol/pending_request.ts";
import type { Row } from "../store/store.ts";
import { type Context, type RequestContext, serverPart } from "./context.ts";
import type { Cipher } from "./keys/cipher.ts";
import type { DecryptionKeys } from "./keys/keys.ts";
import type { Consent, Session } from "./records/rows.ts";
import type { Authentication, SignInFailure } from "./users/sign_in_factor.ts";

export interface AllowedRequest {
  client: Client;
  signedIn: SignedInUser;
  /** The consent, if the user gives it in this request. */
  given?: GivenConsent | undefined;
}

/** How a request is completed whose client polls for the response, and gets no redirect. */
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

/** A request that a client sent about a user, without a browser, and that waits for the user. */
export interface OpenRequest {
  /** The id of the request. It is not a secret. */
  id: string;
  /** The request, with which the user's browser begins an interaction. */
  pending: PolledRequest;
  /** What the client also shows, so that the user can compare. */
  bindingMessage?: string | undefined;
  /** In milliseconds. */
  expiresAt: number;
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

/** What a feature does for clients when a session ends. What was issued in it ends anyway. */
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

/** Clients that registered. Without it, they are disabled. */
export interface RegisteredClients {
  /** Returns what the server offers to one of them. The core confines the client to it. */
  offerTo(ctx: Context, client: Client): Offer;
  /** Called when one of them got tokens. */
  noteUse(ctx: Context, client: Client): Promise<void>;
}

/** Clients that a document describes. Without it, they are unknown. Only `lookUp` fetches one. */
export interface DocumentClients {
  /** Returns what the server offers to one of them. The core confines the client to it. */
  offerTo(ctx: Context, client: Client): Offer;
  /** Lists those that were kept. */
  list(ctx: Context): Promise<Client[]>;
  /** Finds one of which something exists. */
  find(ctx: Context, id: string): Promise<Client | undefined>;
  /** Finds the one that a request names. Fetching an unknown one counts against the sender. */
  lookUp(ctx: RequestContext, id: string): Promise<Client | undefined>;
  /** Whether `find` knows the id, even that of a disabled client. */
  knows(ctx: Context, id: string): Promise<boolean>;
  /** Returns why a document could not be read, for its developers. */
  problemOf(ctx: Context, id: string): string | undefined;
  /** Keeps a client for as long as anything that was issued to it may live. */
  keep(ctx: Context, client: Client, until: number): Promise<void>;
}

/** Programs for which an issuer vouches: each is a client, which nothing else describes. */
export interface WorkloadClients {
  find(ctx: Context, id: string): Client | undefined;
  /** Finds the one that something was issued to; undefined at once for any other id. */
  findReferred(ctx: Context, reference: ClientReference): Promise<Client | undefined> | undefined;
}

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
    kind: "idToken" | "userinfo" | "introspection" | "authorizationResponse",
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

/** The way to sign in by passkey. */
export interface PasskeySignIn {
  /** Authenticates who sends the response of a browser, in the parameter `passkey` of a form. */
  authenticate(ctx: RequestContext, response: string): Promise<Authentication | undefined>;
  /** Returns the form of the sign-in page, above that for a password, if any user has a passkey. */
  signInForm(
    ctx: RequestContext,
    page: GuardedForm & { failure: SignInFailure | undefined; language: Language },
  ): Promise<Content | undefined>;
  /** Returns what the account page shows about them, if this user can have some. */
  accountSection(ctx: RequestContext, user: User): Promise<Content | undefined>;
  count(ctx: Context, user: User): Promise<number>;
  /** Deletes those of a user who is removed. */
  forget(ctx: Context, user: User): Promise<void>;
  /** Returns those of a user as a file of users has them, if there are any. */
  export(ctx: Context, user: User): Promise<object | undefined>;
  checkMoved(value: unknown, report: ReportProblem): Promise<void>;
  /** Stores those of a user who is about to be added. Returns undefined if any is another user's. */
  import(ctx: Context, user: User, value: unknown): Promise<User | undefined>;
}

/**
 * What a feature can do for the core, which is below `Feature`. A server joins what its features do:
 * lists become one list; of everything else it has one at most, or what of one does not answer.
 */
export interface Abilities {
  /** Returns how to complete a polled request, or undefined if it is not its own. */
  readonly completionOf: (pending: PolledRequest) => RequestCompletion | undefined;
  /** Lists the requests that wait for a user, and reach no browser by themselves. */
  readonly waitingFor: (ctx: Context, user: User) => Promise<OpenRequest[]>;
  /** Parameters whose values it issues: they are secrets. */
  readonly presented: readonly PresentedParameter[];
  readonly registeredClients: RegisteredClients | undefined;
  readonly documentClients: DocumentClients | undefined;
  readonly workloadClients: WorkloadClients | undefined;
  /** What it does for clients when a session ends. */
  readonly sessionEnds: readonly SessionEnd[];
  /** What it repeats in the background. */
  readonly tasks: readonly MaintenanceTask[];
  /** Protects keys and secrets in the store. Without it, the core reads no encrypted one. */
  readonly cipher: Cipher | undefined;
  /** Encrypts what clients get, and decrypts what they send. */
  readonly envelope: Envelope | undefined;
  /** Reads the signed request that the `request_uri` of a client refers to, if it is one of its. */
  readonly requestAt:
    | ((ctx: Context, client: Client, uri: string) => Promise<FormParameters | undefined>)
    | undefined;
  /** Reads what the connection of a request proves about its sender. */
  readonly connectionProof: ConnectionProof | undefined;
  /**
   * Returns the name of the user whom a typed text means; or the text, and who has not verified it.
   * Without it, users type their names.
   */
  readonly signInName:
    | ((ctx: Context, text: string) => Promise<[name: string, unverified?: User]>)
    | undefined;
  /** Whether a password is right; undefined if the password policy knows. */
  readonly verifyPassword:
    | ((ctx: Context, user: User, password: string) => Promise<boolean> | undefined)
    | undefined;
  /** Passkeys of users. Without them, who must sign in by passkey cannot. */
  readonly passkeys: PasskeySignIn | undefined;
  /** Describes for logs why a request was refused, without secrets. */
  readonly loggedDetails: ((ctx: RequestContext, error: OAuthError) => LoggedDetails) | undefined;
}

/** What the features of a server do. It is no member of the context: their types would be a cycle. */
export interface ActiveFeatures extends Abilities {
  /** The parameters and members of features whose values are secrets. */
  readonly secrets: readonly string[];
  /** The parameters of all requests, those of the core among them. */
  readonly parameters: ReadonlySet<string>;
  /** Whether the server has a page at a path below the issuer, so that others may link to it. */
  readonly hasPage: (path: string) => boolean;
}

/** The key of the part with the features: a context is created with them, and makes none. */
export function featuresKey(): ActiveFeatures {
  throw new Error("The context was created without its features.");
}

/** Returns what the features of a server do for its core. */
export const featuresOf: (ctx: Context) => ActiveFeatures = serverPart(featuresKey);

/** Returns the path of a page, for links to it, if the server has the page. */
export function pagePath(ctx: Context, path: string): string | undefined {
  return featuresOf(ctx).hasPage(path) ? `${ctx.settings.base}${path}` : undefined;
}

/** A consent that the user gives in the current request. */
export interface GivenConsent {
  /** The mark of the user's last withdrawal before the request was handled. */
  lastWithdrawal: string | undefined;
  /** Whether the operator gave it for all users, so that it is not remembered. */
  byOperator?: boolean;
}

/** The user who is signed in with a browser. */
export interface SignedInUser {
  session: Session;
  user: User;
  /** Whether the user signed in without a page, so that the browser has no cookie. */
  unasked?: true;
  /** The consents to the client of the request, if they were read together with the session. */
  consents?: readonly Consent[] | undefined;
}
