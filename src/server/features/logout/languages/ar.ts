import type { LogoutWords } from "./en.ts";

export const ar: LogoutWords = {
  signOut: {
    title: "تسجيل الخروج",
    question: "هل تريد تسجيل الخروج؟",
    comesFrom: "أنت قادم من",
    stay: "البقاء مسجّل الدخول",
    redirect: "بعد ذلك ستتم إعادة توجيهك إلى {address}",
  },
};
