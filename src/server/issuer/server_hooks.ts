import type { JWK } from "jose";
import type { IncomingRequest } from "../http/incoming_request.ts";
import type { Client, ClientMetadata } from "../model/client.ts";
import type { User } from "../model/user.ts";
import type { FormParameters } from "../protocol/form_parameters.ts";
import type { JwtClaims } from "../protocol/jwt.ts";
import type { OAuthError } from "../protocol/oauth_error.ts";
import type { PendingRequest } from "../protocol/pending_request.ts";
import type { UnregisteredRedirect } from "../protocol/response_target.ts";
import type { ChooseCredential } from "./random.ts";
import type { ProvenFactor } from "./users/sign_in_factor.ts";

/**
 * What only the wrapper of a server can pass to it, for all requests. None of it is a setting: each
 * lets something in that a server must refuse, or changes what its users see. `serve` passes none.
 */
export interface ServerHooks {
  /** Answers instead of users: for hands-free sign-in. */
  readonly unasked?: UnaskedUsers | undefined;
  /**
   * Returns the line at the top of every page, given that of the settings: of those of the
   * server, and those of the wrapper. `path` is that of the page below the issuer, if one is asked
   * for.
   */
  readonly notice?: ((configured: string | undefined, path?: string) => string) | undefined;
  /**
   * Lets in what the server refuses: for the settings `anyGrant` and `anyScope` of tests, and for
   * presets with public clients that introspect.
   */
  readonly admits?: Admissions | undefined;
  /**
   * Vouches for the redirect URI of one authorization request, which its client did not register:
   * one that a test started or minted. It is asked after the client, or its signature, was checked.
   * Vouching for the same request a second time would let anyone repeat it.
   */
  readonly vouchForRedirect?: ((request: UnregisteredRedirect) => boolean) | undefined;
  /**
   * Checks the claims of client assertions instead of the server, which has verified the signature;
   * returns why one is invalid. For the preset of Apple, whose client secret is a JWT.
   */
  readonly assertionProblem?: AssertionProblem | undefined;
  /**
   * Returns public keys to publish in addition to those that sign: a server refuses them. For the
   * `signingKeys` of tests; the key set, its certificates and its faults have them alike.
   */
  readonly publishedKeys?: (() => Promise<JWK[]>) | undefined;
  /**
   * The metadata documents of clients that are hosted here, by their URLs. The server reads them
   * without a fetch, so their URLs may have any scheme and host. For tests that host them, and for
   * those that mint tokens: in a fetch, a document over http would be refused.
   */
  readonly hostedDocuments?: ReadonlyMap<string, ClientMetadata> | undefined;
}

/** What the wrapper of a server passes to it for one request. */
export interface RequestHooks {
  /** The page that will show what happened, for error pages and for challenges. */
  readonly flowPage?: FlowPage | undefined;
  /** Why the request or its user is refused: by the rules of a provider that a test plays. */
  readonly refusals?: Refusals | undefined;
  /**
   * Chooses the credentials that the request creates; without it, they are random. The values that a
   * test queues, and the forms of those of a provider.
   */
  readonly chooseCredential?: ChooseCredential | undefined;
}

/** What answers instead of users. */
export interface UnaskedUsers {
  readonly answerForUser: AnswerForUser;
  /** Returns what the user of a sign-in form proves without a device. */
  factorOf?(form: FormParameters): ProvenFactor;
  /**
   * The secrets of the sessions of users who signed in without a page, by their names. Such a
   * browser gets no cookie.
   */
  readonly sessions: Map<string, string>;
}

/** What a wrapper lets in although the server would refuse it. */
export interface Admissions {
  /** Vouches for credentials that the server does not know. */
  readonly grant?: PresumeGrant | undefined;
  /** Whether a token request may add a scope to what was granted. */
  readonly scope?: ((token: string) => boolean) | undefined;
  /** Whether clients without a secret may introspect their own tokens, as with Okta and GitLab. */
  readonly publicIntrospection?: boolean | undefined;
}

/** What a wrapper refuses although the server would allow it. */
export interface Refusals {
  /** Why the request is refused before its endpoint looks at it. */
  readonly ofRequest?: OAuthError | undefined;
  /** Returns why a user may not continue with the request, or undefined. */
  readonly ofUser?: ((user: User) => Promise<OAuthError | undefined>) | undefined;
}

/** The page that will show what happened in a request. */
export interface FlowPage {
  /** Returns its URL, which may be relative to an address of the server, if there is one. */
  url(): string | undefined;
  /** Whether error responses link to it; then challenges explain their errors, too. */
  inErrors: boolean;
}

/** A credential that a client presents, and that the server does not know. */
export interface UnknownCredential {
  kind: "code" | "refresh_token" | "assertion";
  value: string;
}

/** What an unknown credential is taken for. */
export interface PresumedGrant {
  /** The name of the user. The credential of a disabled one stays unknown. */
  userName: string;
  /** The scopes, as far as the client may have them. */
  scopes: readonly string[];
}

/** Vouches for a credential that the server does not know, or leaves it unknown. */
export type PresumeGrant = (
  client: Client,
  credential: UnknownCredential,
) => Promise<PresumedGrant | undefined>;

/** Returns why the claims of a client's assertion are invalid, or undefined; `now` in seconds. */
export type AssertionProblem = (claims: JwtClaims, now: number) => Promise<string | undefined>;

/** An answer for the user, who is not asked. */
export interface UserAnswer {
  /** Who signs in. By default, the user of the browser's session. */
  signIn?: UnaskedSignIn | undefined;
  /**
   * What the user decides.
   *
   * @default "allow"
   */
  decision?: "allow" | "deny" | undefined;
  /** The part of the scope that the user allows. By default, all of it. */
  grant?: readonly string[] | undefined;
}

/** A sign-in without a page. */
export interface UnaskedSignIn {
  /** The name of the user. The server does not sign in a disabled one. */
  userName: string;
  /** How strong it is. */
  acr?: string | undefined;
  amr?: string[] | undefined;
  /**
   * What was chosen at an earlier sign-in. A request that requires a newer or stronger one signs
   * the user in again, as strongly as this one does.
   */
  chosen?: ChosenSignIn | undefined;
}

/** How a user signed in, as what wraps the server chose it; the server knows the rest. */
export interface ChosenSignIn extends ProvenFactor {
  acr?: string | undefined;
  amr?: string[] | undefined;
  /** In seconds. */
  authTime?: number | undefined;
}

/**
 * Answers instead of the user of a request, or leaves it to the pages. It is not a setting: only
 * what wraps a server can pass it.
 */
export type AnswerForUser = (question: {
  pending: PendingRequest;
  /** The request of the user's browser. */
  request: IncomingRequest;
  /** Whether the request begins, and no page was shown for it. */
  isNew: boolean;
  /** The requested `acr` values that the server supports, in order of preference. */
  acrValues: readonly string[];
}) => UserAnswer | undefined;
