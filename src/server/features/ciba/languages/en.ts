import type { CibaWords } from "./words.ts";

/** The texts in English. */
export const en: CibaWords = {
  backchannelConsent: {
    caution: "This request did not come from your browser. Allow it only if you started it " +
      "yourself, and deny it if you did not expect it.",
    compare: "This request did not come from your browser. Allow it only if you started it " +
      "yourself, and the application shows you exactly this:",
  },
  backchannelDone: {
    allowed: "Request allowed",
    continues: "will continue on its own.",
    denied: "Request denied",
    noAccess: "has no access from this request.",
  },
};
