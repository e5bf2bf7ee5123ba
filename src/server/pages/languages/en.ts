/**
 * The texts of the core's pages in English. `{name}` is a placeholder; every language has the same
 * ones. Descriptions of errors are for developers and stay in English.
 *
 * @internal
 */
export const en = {
  /** Texts of more than one page. */
  common: {
    notice: "Notice",
    home: "Home",
    signIn: "Sign in",
    signOut: "Sign out",
    signOutEffect:
      "Signing out ends the access of applications, except those that you allowed to " +
      "continue while you're away.",
    signedInAs: "Signed in as",
    toContinueTo: "to continue to",
    continue: "Continue",
    continueTo: "Continue to {name}",
    cancel: "Cancel",
    anotherAccount: "Use another account",
    yourAccount: "Your account",
    connectedApps: "Connected applications",
  },
  /** The line at the bottom of each page. */
  footer: {
    support: "Support",
    privacy: "Privacy",
    terms: "Terms",
  },
  /** The home page. */
  home: {
    lead: "Sign in to see where you are signed in, and which applications can use your account.",
    signedIn:
      "See where you are signed in and which applications can use your account, or sign out.",
  },
  /** The page on which a user signs in. */
  signIn: {
    failed: "Wrong user name or password. Please try again.",
    username: "User name",
    usernameOrEmail: "User name or e-mail address",
    password: "Password",
    oneClick: "Sign in with one click",
    otherUser: "Another user",
    unknownUser: "Any user name",
    details: "Details of this sign-in",
    asRequested: "as requested",
    orPassword: "or with a password",
    yourAccount: "your account",
  },
  /** The page on which a user chooses an account. */
  selectAccount: {
    title: "Choose an account",
    continueAs: "Continue as {name}",
  },
  /** The page on which a user allows or denies a request. */
  consent: {
    title: "Allow access",
    question: "Allow access?",
    wantsAccess: "wants to use your account",
    allow: "Allow",
    deny: "Deny",
    takeBack: "You can take this back at any time under {page}.",
    redirect: "You'll be redirected to {address}",
    permissions: "Permissions: {total}",
    permissionsOf: "Permissions: {chosen} of {total}",
  },
  /** The access of an application, on the pages that list it. */
  access: {
    aboutYou: "Information about you",
    actions: "What it can do",
    where: "Where it applies",
    before: "Already allowed",
    includes: "Includes: {claims}",
    more: "Show {count} more",
  },
  /** The texts about the scopes of a server that has no others. */
  scopes: {
    openid: "Know who you are",
    profile: "See your name, picture and other parts of your profile",
    email: "See your e-mail address",
    address: "See your postal address",
    phone: "See your telephone number",
    offline_access: "Keep this access while you are away, until you take it back",
    groups: "See your groups",
  },
  /** The standard claims (OpenID Connect Core, section 5.1). */
  claims: {
    name: "Full name",
    family_name: "Family name",
    given_name: "First name",
    middle_name: "Middle name",
    nickname: "Nickname",
    preferred_username: "Preferred user name",
    profile: "Profile page",
    picture: "Picture",
    website: "Website",
    gender: "Gender",
    birthdate: "Date of birth",
    zoneinfo: "Time zone",
    locale: "Language and region",
    updated_at: "When your profile last changed",
    email: "E-mail address",
    email_verified: "Whether your e-mail address is verified",
    address: "Postal address",
    phone_number: "Telephone number",
    phone_number_verified: "Whether your telephone number is verified",
  },
  /** The warning about an untrusted client. */
  untrustedClient: {
    describesItself: "This application describes itself at {host}.",
    registeredItself: "This application registered itself.",
    notVerified: "Its identity is not verified.",
    sentTo: "What you allow is sent to {receivers}.",
  },
  /** The pages that a client registered. */
  clientLinks: {
    about: "About this application:",
    website: "website",
    privacyPolicy: "privacy policy",
    terms: "terms",
    logo: "logo",
  },
  /** The page that confirms a sign-out. */
  signedOut: {
    title: "Signed out",
    heading: "You are signed out",
    leadsTo: "The button leads to {address}",
    frame: "Signing out of an application",
  },
  /** The page that posts an authorization response. */
  formPost: {
    title: "Back to the application",
  },
  /** The page that shows an error. */
  error: {
    /** For each kind of error, a title and what the user can do. */
    kinds: {
      badRequest: {
        title: "This request can't be completed",
        advice: "The application that brought you here sent a request that is not valid. " +
          "Please contact those who run the application.",
      },
      denied: {
        title: "Access denied",
        advice: "You or the server did not allow this request.",
      },
      notMember: {
        title: "You may not use this application",
        advice: "Ask those who run this server to give you access.",
      },
      expired: {
        title: "This page has expired",
        advice: "Go back to the application and start again.",
      },
      replaced: {
        title: "A newer request is waiting",
        advice: "The application sent a newer request, so this one no longer counts. Review the " +
          "newer one on your account page.",
      },
      notFound: {
        title: "Page not found",
        advice: "Check the address, or go to the home page.",
      },
      wrongMethod: {
        title: "This page can't be opened this way",
        advice: "Go back to the application and start again.",
      },
      tooMany: {
        title: "Too many attempts",
        advice: "There were too many attempts in a short time.",
      },
      unavailable: {
        title: "Temporarily unavailable",
        advice: "The server can't do this right now.",
      },
      serverError: {
        title: "Something went wrong",
        advice: "This is our fault, not yours. Please try again in a moment.",
      },
    },
    /** When to try again, with `{when}` as in "in 5 minutes". */
    tryAgain: "Please try again {when}.",
    /** What the application knows about the error. */
    application: {
      knowsNothing: "Nothing was sent to the application that brought you here.",
      canBeTold: "Nothing was sent to the application that brought you here. You can let it know:",
      mayNotKnow: "A response was already sent to the application. If it did not arrive, you can " +
        "let it know:",
    },
  },
};

/** The texts of the core's pages in one language. */
export type Words = typeof en;

/** What an error page is about. */
export type ErrorKind = keyof Words["error"]["kinds"];
