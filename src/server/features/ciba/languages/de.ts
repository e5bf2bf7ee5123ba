import type { CibaWords } from "./en.ts";

/** The texts in German. */
export const de: CibaWords = {
  backchannelConsent: {
    caution: "Diese Anfrage kommt nicht aus Ihrem Browser. Erlauben Sie sie nur, wenn Sie sie " +
      "selbst ausgelöst haben, und lehnen Sie sie ab, wenn Sie sie nicht erwartet haben.",
    compare: "Diese Anfrage kommt nicht aus Ihrem Browser. Erlauben Sie sie nur, wenn Sie sie " +
      "selbst ausgelöst haben und die Anwendung Ihnen genau dies anzeigt:",
  },
  backchannelDone: {
    allowed: "Anfrage erlaubt",
    continues: "macht nun von selbst weiter.",
    denied: "Anfrage abgelehnt",
    noAccess: "erhält durch diese Anfrage keinen Zugriff.",
  },
};
