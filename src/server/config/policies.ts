import { exportJWK, generateKeyPair, type JWK } from "jose";
import type { Claims, ClaimTarget } from "../model/claims.ts";
import type { SigningAlgorithm } from "../model/signing.ts";
import type { User } from "../model/user.ts";
import type { FormParameters } from "../protocol/form_parameters.ts";
import { type Passwords, pbkdf2Passwords } from "./passwords.ts";

/** Decisions that an operator can take over. */
export interface Policies {
  /** Decides who signs in. By default, the password decides. */
  authenticate: Authenticate;
  /** Hashes passwords, and verifies them. */
  passwords: Passwords;
  /** Creates a signing key. */
  makeKey: KeyMaker;
  /** Returns claims about a user, beside those that scopes and clients open. */
  claims?: ClaimsPolicy | undefined;
  /** Returns the part of a scope that a client gets. By default, it gets what the user allows. */
  scope?: ScopePolicy | undefined;
}

/**
 * Returns the part of a requested scope that a client may get for a user. At an authorization, the
 * user is asked for no more than that; an empty list denies the request. At a refresh, the new
 * access token has this scope, and a later refresh may have more of what was granted.
 */
export type ScopePolicy = (
  user: User,
  client: PolicyClient,
  scope: readonly string[],
  occasion: "authorization" | "refresh",
) => readonly string[] | Promise<readonly string[]>;

/**
 * Returns claims about a user for a token or a userinfo response. It may replace those that scopes
 * and clients open. A claim that the server sets itself, such as `sub`, makes the request fail.
 */
export type ClaimsPolicy = (
  user: User,
  client: PolicyClient,
  scope: readonly string[],
  target: ClaimTarget,
) => Claims | Promise<Claims>;

/** The client that a policy decides about. */
export interface PolicyClient {
  /** The `client_id`. */
  id: string;
  /** The name that users see. */
  name: string;
  /** Whether the operator configured the client, or trusts those that register as it did. */
  trusted: boolean;
}

/**
 * Decides who the user is from the fields of the sign-in form. Returns undefined to show the form
 * again.
 */
export type Authenticate = (
  form: FormParameters,
  users: UserLookup,
  request: RequestedSignIn,
) => Promise<User | SignInResult | undefined>;

/** The result of a sign-in, with details about how it was made. */
export interface SignInResult {
  /** The user. Without one, the sign-in form is shown again. */
  user?: User | undefined;
  /**
   * How strong the sign-in was.
   *
   * @default the first of the server's `acrValues` that is not `phr`
   */
  acr?: string | undefined;
  /** The methods that were used (RFC 8176). */
  amr?: string[] | undefined;
  /**
   * When the user signed in, in seconds, where another system knows it.
   *
   * @default now
   */
  authTime?: number | undefined;
}

/** What a client requires of a sign-in. */
export interface RequestedSignIn {
  /** The client. Undefined if users sign in on their own account page. */
  clientId?: string | undefined;
  /** Those of the server's `acrValues` that are sufficient, in order of preference. */
  acrValues: string[];
}

/** Finds the users of the server. */
export interface UserLookup {
  /** Finds a user by name. */
  find(name: string): Promise<User | undefined>;
  /** Finds the user whose name and password are in the fields `username` and `password`. */
  checkPassword(form: FormParameters): Promise<User | undefined>;
}

/** Creates a private JWK. The first key of an algorithm has generation 0, its successor 1. */
export type KeyMaker = (alg: SigningAlgorithm, kid: string, generation: number) => Promise<JWK>;

/** Generates a key. RSA takes up to a quarter of a second; the others take almost no time. */
export const makeKey: KeyMaker = async (alg, kid) => {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { ...await exportJWK(privateKey), alg, use: "sig", kid };
};

/** The policies of a server that configures none. */
export const defaultPolicies: Policies = {
  authenticate: async (form, users) => ({ user: await users.checkPassword(form), amr: ["pwd"] }),
  passwords: pbkdf2Passwords,
  makeKey,
};
