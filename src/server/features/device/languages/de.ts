import type { DeviceFlowWords } from "./en.ts";

export const de: DeviceFlowWords = {
  device: {
    title: "Gerät verbinden",
    enterCode: "Geben Sie den Code ein, den Ihr Gerät anzeigt.",
    sameCode: "Zeigt Ihr Gerät diesen Code an?",
    caution: "Fahren Sie nur fort, wenn Sie das Gerät vor sich haben. Wer Ihnen einen Code oder " +
      "einen Link mit einem Code schickt, versucht möglicherweise, Ihr Konto zu übernehmen.",
    failed: "Dieser Code ist unbekannt oder abgelaufen. Bitte versuchen Sie es noch einmal.",
    code: "Code",
    confirm: "Ja, weiter",
  },
  deviceConsent: {
    caution: "Diese Anfrage kommt von einem Gerät, das Ihnen einen Code angezeigt hat. " +
      "Erlauben Sie den Zugriff nur, wenn Sie das Gerät vor sich haben und den Vorgang selbst " +
      "begonnen haben.",
  },
  deviceDone: {
    allowed: "Gerät verbunden",
    continues: "macht nun von selbst weiter.",
    goBack: "Sie können diese Seite schließen und zu Ihrem Gerät zurückkehren.",
    denied: "Gerät nicht verbunden",
    noAccess: "hat keinen Zugriff, und der Code ist nicht mehr gültig.",
    close: "Sie können diese Seite schließen.",
  },
};
