/** The texts of the pages on which users manage their account. */
export interface AccountPageWords {
  /** The page on which a user manages sessions, password and applications. */
  account: AccountWords;
  /** The page on which a user changes the password. */
  changePassword: ChangePasswordWords;
  /** The page on which a user chooses a password, by a link of an administrator. */
  choosePassword: ChoosePasswordWords;
}

/** Texts of the page on which a user manages sessions, password and applications. */
export type AccountWords = Record<
  | "waitingRequests"
  | "waitingAdvice"
  | "waitingTime"
  | "reviewRequest"
  | "sessions"
  | "thisBrowser"
  | "browserOn"
  | "unknownBrowser"
  | "signedIn"
  | "endOthers"
  | "passwordChanged"
  | "changePassword"
  | "someApps"
  | "noApps"
  | "moreApps"
  | "onDevice"
  | "describesItself"
  | "registeredItself"
  | "sentTo"
  | "since"
  | "lastAllowed"
  | "remove"
  | "byOperator",
  string
>;

/**
 * Why a password is not changed: `wrong` is about the current one, the others about the new one.
 */
export type PasswordProblem = "wrong" | "tooShort" | "isName" | "unchanged" | "notRepeated";

/** Texts of the page on which a user changes the password. */
export interface ChangePasswordWords
  extends Record<"effect" | "current" | "next" | "rule" | "repeat", string> {
  /** Why it is not changed. */
  problems: Record<PasswordProblem, string>;
}

/** Texts of the page on which a user chooses a password, by a link of an administrator. */
export type ChoosePasswordWords = Record<
  "title" | "invite" | "reset" | "save" | "done" | "next" | "void" | "ask",
  string
>;
