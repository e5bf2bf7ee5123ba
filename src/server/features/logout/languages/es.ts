import type { LogoutWords } from "./en.ts";

export const es: LogoutWords = {
  signOut: {
    title: "Cerrar sesión",
    question: "¿Cerrar la sesión?",
    comesFrom: "Viene de",
    stay: "Mantener la sesión abierta",
    redirect: "Después se le redirigirá a {address}",
  },
};
