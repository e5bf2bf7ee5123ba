import type { DeviceFlowWords } from "./en.ts";

export const es: DeviceFlowWords = {
  device: {
    title: "Conectar un dispositivo",
    enterCode: "Introduzca el código que muestra su dispositivo.",
    sameCode: "¿Muestra su dispositivo este código?",
    caution: "Continúe solo si tiene el dispositivo delante. Quien le envíe un código, o un " +
      "enlace que lo contenga, podría estar intentando apoderarse de su cuenta.",
    failed: "Este código no existe o ha caducado. Inténtelo de nuevo.",
    code: "Código",
    confirm: "Sí, continuar",
  },
  deviceConsent: {
    caution: "Esta solicitud viene de un dispositivo que le mostró un código. Permita el " +
      "acceso solo si tiene el dispositivo delante y ha iniciado usted mismo este proceso.",
  },
  deviceDone: {
    allowed: "Dispositivo conectado",
    continues: "continuará automáticamente.",
    goBack: "Puede cerrar esta página y volver a su dispositivo.",
    denied: "Dispositivo no conectado",
    noAccess: "no tiene acceso, y el código ya no es válido.",
    close: "Puede cerrar esta página.",
  },
};
