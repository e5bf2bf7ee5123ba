import type { LogoutWords } from "./en.ts";

export const de: LogoutWords = {
  signOut: {
    title: "Abmelden",
    question: "Möchten Sie sich abmelden?",
    comesFrom: "Sie kommen von",
    stay: "Angemeldet bleiben",
    redirect: "Danach werden Sie weitergeleitet zu {address}",
  },
};
