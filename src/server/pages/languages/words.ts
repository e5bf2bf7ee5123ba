/**
 * The texts of the core's pages in one language. `{name}` is a placeholder; every language has the
 * same ones. Descriptions of errors are for developers and stay in English.
 */
export interface Words {
  /** Texts of more than one page. */
  common: CommonWords;
  /** The line at the bottom of each page. */
  footer: Record<"support" | "privacy" | "terms", string>;
  /** The home page. */
  home: Record<"lead" | "signedIn", string>;
  /** The page on which a user signs in. */
  signIn: SignInWords;
  /** The page on which a user chooses an account. */
  selectAccount: Record<"title" | "continueAs", string>;
  /** The page on which a user allows or denies a request. */
  consent: ConsentWords;
  /** The access of an application, on the pages that list it. */
  access: AccessWords;
  /** The texts about the scopes of a server that has no others. */
  scopes: Record<
    "openid" | "profile" | "email" | "address" | "phone" | "offline_access" | "groups",
    string
  >;
  /** The standard claims (OpenID Connect Core, section 5.1). */
  claims: Record<ClaimName, string>;
  /** The warning about an untrusted client. */
  untrustedClient: UntrustedClientWords;
  /** The pages that a client registered. */
  clientLinks: Record<"about" | "website" | "privacyPolicy" | "terms" | "logo", string>;
  /** The page that confirms a sign-out. */
  signedOut: Record<"title" | "heading" | "leadsTo" | "frame", string>;
  /** The page that posts an authorization response. */
  formPost: Record<"title", string>;
  /** The page that shows an error. */
  error: ErrorWords;
}

/** Texts of more than one page. */
export type CommonWords = Record<
  | "notice"
  | "home"
  | "signIn"
  | "signOut"
  | "signOutEffect"
  | "signedInAs"
  | "toContinueTo"
  | "continue"
  | "continueTo"
  | "cancel"
  | "anotherAccount"
  | "yourAccount"
  | "connectedApps",
  string
>;

/** Texts of the page on which a user signs in. */
export type SignInWords = Record<
  | "failed"
  | "username"
  | "usernameOrEmail"
  | "password"
  | "oneClick"
  | "otherUser"
  | "unknownUser"
  | "details"
  | "asRequested"
  | "orPassword"
  | "yourAccount",
  string
>;

/** Texts of the page on which a user allows or denies a request. */
export type ConsentWords = Record<
  | "title"
  | "question"
  | "wantsAccess"
  | "allow"
  | "deny"
  | "takeBack"
  | "redirect"
  | "permissions"
  | "permissionsOf",
  string
>;

/** Texts about the access of an application. */
export type AccessWords = Record<
  "aboutYou" | "actions" | "where" | "before" | "includes" | "more",
  string
>;

/** The names of the standard claims. */
export type ClaimName =
  | "name"
  | "family_name"
  | "given_name"
  | "middle_name"
  | "nickname"
  | "preferred_username"
  | "profile"
  | "picture"
  | "website"
  | "gender"
  | "birthdate"
  | "zoneinfo"
  | "locale"
  | "updated_at"
  | "email"
  | "email_verified"
  | "address"
  | "phone_number"
  | "phone_number_verified";

/** Texts of the warning about an untrusted client. */
export type UntrustedClientWords = Record<
  "describesItself" | "registeredItself" | "notVerified" | "sentTo",
  string
>;

/** What an error page is about. */
export type ErrorKind =
  | "badRequest"
  | "denied"
  | "notMember"
  | "expired"
  | "notFound"
  | "wrongMethod"
  | "tooMany"
  | "unavailable"
  | "serverError";

/** Texts of the page that shows an error. */
export interface ErrorWords {
  /** For each kind of error, a title and what the user can do. */
  kinds: Record<ErrorKind, Record<"title" | "advice", string>>;
  /** When to try again, with `{when}` as in "in 5 minutes". */
  tryAgain: string;
  /** What the application knows about the error. */
  application: Record<"knowsNothing" | "canBeTold" | "mayNotKnow", string>;
}
