import type { AccountPageWords } from "./words.ts";

/** The texts in Arabic. */
export const ar: AccountPageWords = {
  account: {
    waitingRequests: "بانتظار قرارك",
    waitingAdvice: "يطلب أحد التطبيقات إذنًا يخص حسابك. لا تراجع إلا ما بدأته بنفسك.",
    waitingTime: "ينتهي {when}.",
    reviewRequest: "مراجعة",
    sessions: "أماكن تسجيل دخولك",
    thisBrowser: "هذا المتصفح",
    browserOn: "{browser} على {system}",
    unknownBrowser: "متصفح غير معروف",
    signedIn: "سُجّل الدخول {when}",
    endOthers: "تسجيل الخروج من جميع الأماكن الأخرى",
    passwordChanged: "آخر تغيير {when}",
    changePassword: "تغيير كلمة المرور",
    someApps: "يمكن لهذه التطبيقات استخدام حسابك. إذا أزلت أحدها، فعليه أن يطلب الإذن من جديد.",
    moreApps: "المزيد من التطبيقات",
    noApps: "لا يمكن لأي تطبيق استخدام حسابك.",
    onDevice: "على جهازك",
    describesItself: "يعرّف نفسه على {host}",
    registeredItself: "سجّل نفسه بنفسه",
    sentTo: "يُرسَل ما سمحت به إلى {receivers}",
    since: "منذ {date}",
    lastAllowed: "آخر إذن: {date}",
    remove: "إلغاء الوصول",
  },
  changePassword: {
    effect: "ستبقى مسجّل الدخول في هذا المتصفح، وسيُسجَّل خروجك من جميع الأماكن الأخرى. " +
      "وعليك تسجيل الدخول من جديد إلى التطبيقات التي تستخدمها هناك.",
    current: "كلمة المرور الحالية",
    next: "كلمة المرور الجديدة",
    rule: "عدد الأحرف {count} على الأقل. بضع كلمات لا صلة بينها يسهل تذكّرها ويصعب تخمينها.",
    repeat: "أعد كتابة كلمة المرور الجديدة",
    problems: {
      wrong: "كلمة المرور الحالية غير صحيحة. يُرجى المحاولة مرة أخرى.",
      tooShort: "كلمة المرور الجديدة قصيرة جدًا.",
      isName: "يجب ألا تكون كلمة المرور الجديدة اسم المستخدم أو عنوان بريدك الإلكتروني.",
      unchanged: "يجب ألا تكون كلمة المرور الجديدة هي الحالية.",
      notRepeated: "كلمتا المرور الجديدتان غير متطابقتين. يُرجى كتابتهما من جديد.",
    },
  },
};
