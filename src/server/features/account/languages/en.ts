/**
 * The texts of the pages on which users manage their account, in English.
 *
 * @internal
 */
export const en = {
  /** The page on which a user manages sessions, password and applications. */
  account: {
    waitingRequests: "Waiting for you",
    waitingAdvice: "An application asks about your account. Review only what you started yourself.",
    waitingTime: "It expires {when}.",
    reviewRequest: "Review",
    sessions: "Where you are signed in",
    thisBrowser: "This browser",
    browserOn: "{browser} on {system}",
    unknownBrowser: "Unknown browser",
    signedIn: "Signed in {when}",
    endOthers: "Sign out everywhere else",
    passwordChanged: "Last changed {when}",
    changePassword: "Change password",
    someApps: "These applications can use your account. If you remove one, it has to ask again.",
    moreApps: "More applications",
    noApps: "No application can use your account.",
    onDevice: "On your own device",
    describesItself: "Describes itself at {host}",
    registeredItself: "Registered itself",
    sentTo: "What you allowed is sent to {receivers}",
    since: "Since {date}",
    lastAllowed: "Last allowed {date}",
    remove: "Remove access",
    byOperator: "Allowed by your administrator",
  },
  /** The page on which a user changes the password. */
  changePassword: {
    effect:
      "You stay signed in with this browser, and are signed out everywhere else. You have to " +
      "sign in again to the applications that you use there.",
    current: "Current password",
    next: "New password",
    rule: "At least {count} characters. A few words that do not belong together are easy to " +
      "remember and hard to guess.",
    repeat: "Repeat the new password",
    /** Why it is not changed: `wrong` is about the current one, the others about the new one. */
    problems: {
      wrong: "The current password is wrong. Please try again.",
      tooShort: "The new password is too short.",
      isName: "The new password must not be your user name or e-mail address.",
      unchanged: "The new password must not be the current one.",
      notRepeated: "The new passwords do not match. Please type both again.",
    },
  },
  /** The page on which a user chooses a password, by a link of an administrator. */
  choosePassword: {
    title: "Choose a password",
    invite: "Welcome! This will be the password of your account {user}.",
    reset: "It replaces the password of your account {user}, and signs you out everywhere.",
    save: "Save password",
    done: "Your password is saved",
    next: "Sign in with it as {user}.",
    void: "This link does not work",
    ask:
      "It has expired, was used, or was replaced by a newer one. Ask the person who sent it for another.",
  },
};

/** The texts of the pages on which users manage their account. */
export type AccountPageWords = typeof en;

/** Why a password is not changed. */
export type PasswordProblem = keyof AccountPageWords["changePassword"]["problems"];
