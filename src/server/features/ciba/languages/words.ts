/** The texts about requests that clients send about a user, without a browser. */
export interface CibaWords {
  /** What the page adds on which a user allows or denies such a request. */
  backchannelConsent: Record<"caution" | "compare", string>;
  /** The page that confirms what the user decided. */
  backchannelDone: BackchannelDoneWords;
}

/** Texts of the page that confirms a decision. */
export type BackchannelDoneWords = Record<"allowed" | "continues" | "denied" | "noAccess", string>;
