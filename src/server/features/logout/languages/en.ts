import type { LogoutWords } from "./words.ts";

export const en: LogoutWords = {
  signOut: {
    title: "Sign out",
    question: "Sign out?",
    comesFrom: "You come from",
    stay: "Stay signed in",
    redirect: "After that, you'll be redirected to {address}",
  },
};
