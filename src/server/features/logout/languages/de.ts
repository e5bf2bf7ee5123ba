import type { LogoutWords } from "./words.ts";

/** The texts in German. */
export const de: LogoutWords = {
  signOut: {
    title: "Abmelden",
    question: "Möchten Sie sich abmelden?",
    comesFrom: "Sie kommen von",
    stay: "Angemeldet bleiben",
    redirect: "Danach werden Sie weitergeleitet zu {address}",
  },
};
