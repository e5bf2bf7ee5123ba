import type { UserActions } from "../browser/user_actions.ts";
import type { Operation } from "../core/operation.ts";
import type { SignInOptions } from "../sign_in/hands_free.ts";
import { bodySchemas } from "./body_schemas.ts";

/** An authorization URL, and what the user does on the pages that it leads to. */
export interface AuthorizeCall extends UserActions {
  /** The authorization URL that the client created. */
  url: string;
}

/** The user who signs in hands-free. */
export interface SignInCall extends SignInOptions {
  /** The name of the user. */
  user: string;
}

export const signInOperations: readonly Operation[] = [
  {
    method: "POST",
    path: "/authorize",
    summary: "Plays a user's part, from an authorization URL to the callback.",
    body: { name: "AuthorizeCall", schema: bodySchemas.AuthorizeCall },
    returns: "AuthorizationResult",
    run(lab, { body }) {
      const { url, ...actions } = body as unknown as AuthorizeCall;
      return lab.authorize(url, actions);
    },
  },
  {
    method: "GET",
    path: "/sign-in",
    summary: "Returns the user who signs in hands-free, without a page; null if it is off.",
    returns: "HandsFreeState",
    run: (lab) => lab.handsFreeState,
  },
  {
    method: "POST",
    path: "/sign-in",
    summary: "Signs a user in hands-free, without a page, from the next authorization request on.",
    body: { name: "SignInCall", schema: bodySchemas.SignInCall },
    returns: "HandsFreeState",
    run(lab, { body }) {
      const { user, ...options } = body as unknown as SignInCall;
      lab.signIn(user, options);
      return lab.handsFreeState;
    },
  },
  {
    method: "DELETE",
    path: "/sign-in",
    summary: "Brings the sign-in page back.",
    returns: "HandsFreeState",
    run(lab) {
      lab.signIn(false);
      return lab.handsFreeState;
    },
  },
];
