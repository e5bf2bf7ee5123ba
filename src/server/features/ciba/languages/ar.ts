import type { CibaWords } from "./en.ts";

/** The texts in Arabic. */
export const ar: CibaWords = {
  backchannelConsent: {
    caution: "لم يأتِ هذا الطلب من متصفحك. لا تسمح به إلا إذا كنت أنت من بدأه، وارفضه إن لم تكن " +
      "تتوقعه.",
    compare: "لم يأتِ هذا الطلب من متصفحك. لا تسمح به إلا إذا كنت أنت من بدأه وكان التطبيق يعرض " +
      "عليك هذا النص نفسه تمامًا:",
  },
  backchannelDone: {
    allowed: "تم السماح بالطلب",
    continues: "سيتابع العمل من تلقاء نفسه.",
    denied: "تم رفض الطلب",
    noAccess: "لا يحصل على أي وصول من خلال هذا الطلب.",
  },
};
