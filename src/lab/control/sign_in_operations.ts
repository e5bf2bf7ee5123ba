import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import type { UserActions } from "../browser/user_actions.ts";
import type { CoreLab } from "../core/core_lab.ts";
import { type Operation, operation } from "../core/operation.ts";
import { findEndpointUrl } from "../dialect/lab_endpoints.ts";
import type { SignInOptions } from "../sign_in/hands_free.ts";
import { bodySchemas } from "./lab_schemas.ts";

/** An authorization URL, and what the user does on the pages that it leads to. */
export interface AuthorizeCall extends UserActions {
  /** The authorization URL that the client created. */
  url: string;
  /**
   * The name of the browser, which stays signed in until a reset.
   *
   * @default none: a new browser
   */
  browser?: string | undefined;
}

/** A sign-out in a browser. */
export interface SignOutCall {
  /** The URL of the `end_session_endpoint` that the client created. */
  url: string;
  /** The name of the browser that signed in. */
  browser: string;
}

/** Where a sign-out led. */
export interface SignOutResult {
  /** The URL that the browser goes to next; undefined if it stays with the server. */
  location?: string | undefined;
}

/** The user who signs in hands-free. */
export interface SignInCall extends SignInOptions {
  /** The name of the user. Without it, users see the sign-in page again. */
  user?: string | undefined;
}

export const signInOperations: readonly Operation[] = [
  operation("POST /authorize", {
    name: "authorize",
    page: { title: "Play the user" },
    summary: "Plays a user's part, from an authorization URL to the callback.",
    body: { name: "AuthorizeCall", schema: bodySchemas.AuthorizeCall },
    example: { body: (lab) => ({ url: exampleUrl(lab), user: "alice" }) },
    returns: "AuthorizationResult",
    run(lab, { body }) {
      const { url, browser, ...actions } = body as unknown as AuthorizeCall;
      return lab.browser(browser).authorize(url, actions);
    },
  }),
  operation("POST /sign-out", {
    name: "sign-out",
    summary: "Plays a user's part at a sign-out, in a browser that /authorize has named.",
    body: { name: "SignOutCall", schema: bodySchemas.SignOutCall },
    example: { body: { url: "/oauth2/logout", browser: "hers" } },
    returns: "SignOutResult",
    async run(lab, { body }): Promise<SignOutResult> {
      const { url, browser } = body as unknown as SignOutCall;
      return { location: await lab.browser(browser).signOut(url) };
    },
  }),
  operation("GET /sign-in", {
    name: "show-sign-in",
    summary: "Returns the user who signs in hands-free, or null.",
    returns: "HandsFreeState",
    run: (lab) => lab.handsFreeState,
  }),
  operation("POST /sign-in", {
    name: "sign-in-as",
    page: { title: "Sign a user in hands-free" },
    summary:
      "Signs a user in hands-free from the next authorization request on; without a user, brings the page back.",
    agents:
      "Use it before the application starts a login. decision: deny plays a user who refuses.",
    body: { name: "SignInCall", schema: bodySchemas.SignInCall },
    example: { body: { user: "alice" } },
    returns: "HandsFreeState",
    run(lab, { body }) {
      const { user, ...options } = body as SignInCall;
      if (user === undefined) lab.signIn(false);
      else lab.signIn(user, options);
      return lab.handsFreeState;
    },
  }),
  operation("DELETE /sign-in", {
    name: "end-sign-in",
    summary: "Brings the sign-in page back.",
    returns: "HandsFreeState",
    run(lab) {
      lab.signIn(false);
      return lab.handsFreeState;
    },
  }),
];

/** Returns a request of a demo client whose redirect URI is a page of the lab. */
function exampleUrl(lab: CoreLab): string {
  const { issuer, paths, frontChannelUrl } = lab.context.settings;
  // Where no user signs in at the provider, the server of the lab lets them.
  const url = findEndpointUrl(lab, "authorization_endpoint") ?? issuerUrl(issuer, paths.authorize);
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "demo-spa",
    redirect_uri: issuerUrl(frontChannelUrl, "/authorized"),
    scope: "openid profile",
    state: "a-state",
    // RFC 7636, appendix B.
    code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    code_challenge_method: "S256",
  });
  return `${url}?${query}`;
}
