import type { Parameters } from "../protocol/parameters.ts";
import type { User } from "../protocol/user.ts";
import type { KeyMaker } from "./key_maker.ts";
import type { Passwords } from "./passwords.ts";

/** Decisions that an operator may take over. */
export interface Policies {
  authenticate: Authenticate;
  passwords: Passwords;
  /** Makes a signing key. */
  makeKey: KeyMaker;
}

/** Decides who a person is from what the sign-in form brings; nobody, where it does not convince. */
export type Authenticate = (form: Parameters, known: KnownUsers) => Promise<User | undefined>;

/** The people whom the server knows. */
export interface KnownUsers {
  find(name: string): Promise<User | undefined>;
  /** By the fields `username` and `password` of the form. */
  checkPassword(form: Parameters): Promise<User | undefined>;
}
