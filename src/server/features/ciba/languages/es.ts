import type { CibaWords } from "./en.ts";

/** The texts in Spanish. */
export const es: CibaWords = {
  backchannelConsent: {
    caution: "Esta solicitud no viene de su navegador. Permítala solo si la inició usted, y " +
      "deniéguela si no la esperaba.",
    compare: "Esta solicitud no viene de su navegador. Permítala solo si la inició usted y la " +
      "aplicación le muestra exactamente esto:",
  },
  backchannelDone: {
    allowed: "Solicitud permitida",
    continues: "continuará por sí sola.",
    denied: "Solicitud denegada",
    noAccess: "no obtiene acceso con esta solicitud.",
  },
};
