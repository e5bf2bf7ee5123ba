import type { User } from "../model/user.ts";
import type { FormParameters } from "../protocol/form_parameters.ts";
import type { KeyMaker } from "./key_maker.ts";
import type { Passwords } from "./passwords.ts";

/** Decisions that an operator may take over. */
export interface Policies {
  /** Decides who signs in. */
  authenticate: Authenticate;
  /** Hashes and verifies passwords. */
  passwords: Passwords;
  /** Makes a signing key. */
  makeKey: KeyMaker;
}

/** Decides who a person is from what the sign-in form brings; nobody, where it does not convince. */
export type Authenticate = (
  form: FormParameters,
  known: UserLookup,
  wanted: RequestedSignIn,
) => Promise<User | SignInResult | undefined>;

/** What came of a sign-in, with more to say than who it was. */
export interface SignInResult {
  /** The user who signed in; without one, the sign-in failed. */
  user?: User;
  /** How strong it was. Default: the first of the server's `acrValues`. */
  acr?: string;
  /** By what means it was made (RFC 8176). */
  amr?: string[];
}

/** What a client asks of a sign-in. */
export interface RequestedSignIn {
  /** Nobody, where people sign in for themselves. */
  clientId?: string;
  /** Those of the server's `acrValues` that would do, in the order of preference. */
  acrValues: string[];
}

/** The people whom the server knows. */
export interface UserLookup {
  /** Finds a user by name. A disabled user is not found. */
  find(name: string): Promise<User | undefined>;
  /** By the fields `username` and `password` of the form. */
  checkPassword(form: FormParameters): Promise<User | undefined>;
}
