/**
 * The texts about requests that clients send about a user, without a browser, in English.
 *
 * @internal
 */
export const en = {
  /** What the page adds on which a user allows or denies such a request. */
  backchannelConsent: {
    caution: "This request did not come from your browser. Allow it only if you started it " +
      "yourself, and deny it if you did not expect it.",
    compare: "This request did not come from your browser. Allow it only if you started it " +
      "yourself, and the application shows you exactly this:",
  },
  /** The page that confirms what the user decided. */
  backchannelDone: {
    allowed: "Request allowed",
    continues: "will continue on its own.",
    denied: "Request denied",
    noAccess: "has no access from this request.",
  },
};

/** The texts about requests that clients send about a user, without a browser. */
export type CibaWords = typeof en;
