import type { Words } from "../../pages/languages/words.ts";

/** The texts in Arabic. */
export const ar: Words = {
  common: {
    notice: "ملاحظة",
    home: "الصفحة الرئيسية",
    signIn: "تسجيل الدخول",
    signOut: "تسجيل الخروج",
    signOutEffect:
      "ينهي تسجيل الخروج وصول التطبيقات، باستثناء تلك التي سمحت لها بالاستمرار أثناء غيابك.",
    signedInAs: "سجّلت الدخول باسم",
    toContinueTo: "للمتابعة إلى",
    continue: "متابعة",
    continueTo: "المتابعة إلى {name}",
    cancel: "إلغاء",
    anotherAccount: "استخدام حساب آخر",
    yourAccount: "حسابك",
    connectedApps: "التطبيقات المتصلة",
  },
  footer: {
    support: "المساعدة",
    privacy: "الخصوصية",
    terms: "شروط الاستخدام",
  },
  home: {
    lead: "سجّل الدخول لمعرفة الأماكن التي سجّلت الدخول منها والتطبيقات التي يمكنها استخدام حسابك.",
    signedIn:
      "اطّلع على الأماكن التي سجّلت الدخول منها والتطبيقات التي يمكنها استخدام حسابك، أو سجّل " +
      "الخروج.",
  },
  signIn: {
    failed: "اسم المستخدم وكلمة المرور غير متطابقين. يُرجى المحاولة مرة أخرى.",
    username: "اسم المستخدم",
    usernameOrEmail: "اسم المستخدم أو البريد الإلكتروني",
    password: "كلمة المرور",
    oneClick: "تسجيل الدخول بنقرة واحدة",
    otherUser: "مستخدم آخر",
    unknownUser: "أي اسم مستخدم",
    details: "تفاصيل تسجيل الدخول هذا",
    asRequested: "حسب الطلب",
    orPassword: "أو باستخدام كلمة مرور",
    yourAccount: "حسابك",
  },
  selectAccount: {
    title: "اختيار حساب",
    continueAs: "المتابعة باسم {name}",
  },
  consent: {
    title: "السماح بالوصول",
    question: "هل تسمح بالوصول؟",
    wantsAccess: "يريد استخدام حسابك",
    allow: "السماح",
    deny: "الرفض",
    takeBack: "يمكنك سحب هذا الإذن في أي وقت من صفحة {page}.",
    redirect: "ستتم إعادة توجيهك إلى {address}",
    permissions: "عدد الأذونات: {total}",
    permissionsOf: "عدد الأذونات: {chosen} من {total}",
  },
  access: {
    aboutYou: "معلومات عنك",
    actions: "ما يمكنه فعله",
    where: "نطاق السريان",
    before: "مسموح به سابقًا",
    includes: "يشمل: {claims}",
    more: "عرض {count} أخرى",
  },
  scopes: {
    openid: "معرفة هويتك",
    profile: "الاطّلاع على اسمك وصورتك وبيانات أخرى من ملفك الشخصي",
    email: "الاطّلاع على عنوان بريدك الإلكتروني",
    address: "الاطّلاع على عنوانك البريدي",
    phone: "الاطّلاع على رقم هاتفك",
    offline_access: "الاحتفاظ بهذا الوصول أثناء غيابك إلى أن تسحبه",
    groups: "الاطّلاع على مجموعاتك",
  },
  claims: {
    name: "الاسم الكامل",
    family_name: "اسم العائلة",
    given_name: "الاسم الأول",
    middle_name: "الاسم الأوسط",
    nickname: "الاسم المستعار",
    preferred_username: "اسم المستخدم المفضّل",
    profile: "صفحة الملف الشخصي",
    picture: "الصورة",
    website: "الموقع الإلكتروني",
    gender: "الجنس",
    birthdate: "تاريخ الميلاد",
    zoneinfo: "المنطقة الزمنية",
    locale: "اللغة والمنطقة",
    updated_at: "آخر تغيير في ملفك الشخصي",
    email: "عنوان البريد الإلكتروني",
    email_verified: "ما إذا كان عنوان بريدك الإلكتروني مؤكدًا",
    address: "العنوان البريدي",
    phone_number: "رقم الهاتف",
    phone_number_verified: "ما إذا كان رقم هاتفك مؤكدًا",
  },
  untrustedClient: {
    describesItself: "يعرّف هذا التطبيق نفسه على {host}.",
    registeredItself: "سجّل هذا التطبيق نفسه بنفسه.",
    notVerified: "لم يتم التحقق من هويته.",
    sentTo: "يُرسَل ما تسمح به إلى {receivers}.",
  },
  clientLinks: {
    about: "حول هذا التطبيق:",
    website: "الموقع الإلكتروني",
    privacyPolicy: "سياسة الخصوصية",
    terms: "شروط الاستخدام",
    logo: "الشعار",
  },
  signedOut: {
    title: "تم تسجيل الخروج",
    heading: "تم تسجيل خروجك",
    leadsTo: "يؤدي الزر إلى {address}",
    frame: "تسجيل الخروج من تطبيق",
  },
  formPost: {
    title: "العودة إلى التطبيق",
  },
  error: {
    kinds: {
      badRequest: {
        title: "لا يمكن إكمال هذا الطلب",
        advice: "أرسل التطبيق الذي جئت منه طلبًا غير صالح. يُرجى الاتصال بالقائمين على التطبيق.",
      },
      denied: {
        title: "تم رفض الوصول",
        advice: "لم تسمح أنت أو لم يسمح الخادم بهذا الطلب.",
      },
      notMember: {
        title: "لا يمكنك استخدام هذا التطبيق",
        advice: "اطلب من القائمين على هذا الخادم منحك حق الوصول.",
      },
      expired: {
        title: "انتهت صلاحية هذه الصفحة",
        advice: "ارجع إلى التطبيق وابدأ من جديد.",
      },
      notFound: {
        title: "الصفحة غير موجودة",
        advice: "تحقق من العنوان أو انتقل إلى الصفحة الرئيسية.",
      },
      wrongMethod: {
        title: "لا يمكن فتح هذه الصفحة بهذه الطريقة",
        advice: "ارجع إلى التطبيق وابدأ من جديد.",
      },
      tooMany: {
        title: "محاولات كثيرة جدًا",
        advice: "جرت محاولات كثيرة جدًا خلال وقت قصير.",
      },
      unavailable: {
        title: "غير متاح مؤقتًا",
        advice: "لا يستطيع الخادم تنفيذ ذلك في الوقت الحالي.",
      },
      serverError: {
        title: "حدث خطأ ما",
        advice: "هذا خطأ من جانبنا وليس منك. يُرجى المحاولة مرة أخرى بعد لحظات.",
      },
    },
    tryAgain: "يُرجى المحاولة مرة أخرى {when}.",
    application: {
      knowsNothing: "لم يُرسَل أي شيء إلى التطبيق الذي جئت منه.",
      canBeTold: "لم يُرسَل أي شيء إلى التطبيق الذي جئت منه. يمكنك إبلاغه:",
      mayNotKnow: "سبق أن أُرسِل رد إلى التطبيق. إذا لم يصله، فيمكنك إبلاغه:",
    },
  },
};
