import type { JWK } from "jose";
import type { Client, ClientMetadata } from "../model/client.ts";
import type { KeyAlgorithm } from "../model/signing.ts";
import type { JwtClaims } from "../protocol/jwt.ts";
import type { UnregisteredRedirect } from "../protocol/response_target.ts";
import type { BoundedMap } from "../util/values/bounded_map.ts";
import type { AnswerForUser, ReadChosenSignIn } from "./requests/user_answer.ts";

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
export type AssertionProblem = (
  claims: JwtClaims,
  now: number,
) => Promise<string | undefined>;

/** The secrets of sessions, by the names of their users. */
export interface UnaskedSessions extends Pick<Map<string, string>, "get" | "delete" | "keys"> {
  set(userName: string, secret: string): unknown;
}

/** What the server encrypted for a client. */
export interface SealedText {
  text: string;
  /** The key of the client. */
  key: JWK;
  header: Readonly<Record<string, string>>;
  /** Encrypts another text for the client in the same way. */
  seal(text: string): Promise<string>;
}

/** Answers that only what wraps a server can pass it. None of them is a setting. */
export interface WrapperAnswers {
  /** Answers in place of users, so that no page asks them. */
  readonly answerForUser?: AnswerForUser | undefined;
  /** Returns what the form of a sign-in chose, in place of what the server or its policy knows. */
  readonly chosenSignIn?: ReadChosenSignIn | undefined;
  /** Returns the line at the top of every page, in place of the setting. */
  readonly notice?: (() => string) | undefined;
  /**
   * The secrets of the sessions of users who signed in without a page, by their names. Such a
   * browser gets no cookie.
   */
  readonly unaskedSessions?: UnaskedSessions | undefined;
  /** Vouches for credentials that the server does not know. */
  readonly presumeGrant?: PresumeGrant | undefined;
  /** Whether a token request may add a scope to what was granted. */
  readonly addsScope?: ((token: string) => boolean) | undefined;
  /**
   * Vouches for the redirect URI of one authorization request, which its client did not register.
   * It is asked after the client, or its signature, was checked. Vouching for the same request a
   * second time would let anyone repeat it.
   */
  readonly vouchForRedirect?: ((request: UnregisteredRedirect) => boolean) | undefined;
  /** Checks the claims of client assertions in place of the server; returns why one is invalid. */
  readonly assertionProblem?: AssertionProblem | undefined;
  /** Confirms sign-outs in place of users, for any session. */
  readonly confirmsSignOut?: boolean | undefined;
  /** Lets clients without a secret introspect their own tokens. */
  readonly publicIntrospection?: boolean | undefined;
  /** Returns public keys to publish beside those that sign. */
  readonly publishedKeys?: (() => Promise<JWK[]>) | undefined;
  /** Remembers what the server encrypted, by what the client gets. */
  readonly sealedTexts?: Pick<BoundedMap<SealedText>, "get" | "set"> | undefined;
  /** Returns the first key of an algorithm that decrypts, in place of a new one. */
  readonly firstDecryptionKey?:
    | ((alg: KeyAlgorithm, id: string) => Promise<JWK | undefined>)
    | undefined;
  /**
   * The metadata documents of clients that are hosted here, by their URLs. The server reads them
   * without a fetch, so their URLs may have any scheme and host.
   */
  readonly hostedDocuments?: ReadonlyMap<string, ClientMetadata> | undefined;
}
