import type { PasskeyWords } from "./en.ts";

export const de: PasskeyWords = {
  passkeys: {
    title: "Passkeys",
    lead:
      "Mit einem Passkey melden Sie sich über Ihr Gerät an: mit Fingerabdruck, Gesicht oder PIN.",
    signIn: "Mit Passkey anmelden",
    failed: "Dieser Passkey hat hier nicht funktioniert. Bitte versuchen Sie es noch einmal oder " +
      "verwenden Sie einen anderen.",
    needed: "Dieses Konto braucht einen Passkey.",
    manage: "Passkeys verwalten",
    none: "Sie haben noch keinen Passkey.",
    ofConfiguration:
      "Ihr Konto gehört zur Konfiguration des Servers und kann keine Passkeys haben.",
    synced: "Synchronisiert",
    onOneDevice: "Auf einem Gerät",
    added: "Hinzugefügt am {date}",
    lastUsed: "Zuletzt verwendet {when}",
    neverUsed: "Nie verwendet",
    otherHost: "Für {host} erstellt, funktioniert hier also nicht",
    name: "Name",
    rename: "Umbenennen",
    remove: "Entfernen",
    add: "Passkey hinzufügen",
    needsScript: "Um einen Passkey hinzuzufügen, verwenden Sie einen Browser mit Passkeys, und " +
      "erlauben Sie Skripte.",
    onlyPasskeys: "Nur mit Passkeys anmelden",
    onlyEffect: "Ihr Passwort meldet Sie dann nicht mehr an.",
    alsoPassword: "Mein Passwort wieder zulassen",
    recent: "Änderungen der letzten 30 Tage",
    changes: {
      added: "{name} wurde {when} hinzugefügt",
      renamed: "In {name} umbenannt {when}",
      removed: "{name} wurde {when} entfernt",
      only: "Passwort {when} abgeschaltet",
      also: "Passwort {when} wieder zugelassen",
    },
    effect: "Eine Änderung meldet Sie überall sonst ab.",
    linkEffect:
      "Dieser Passkey ersetzt alle anderen Ihres Kontos, und Sie werden überall abgemeldet.",
    linkDone: "Ihr Passkey ist gespeichert. Sie können sich damit anmelden.",
    linkVoid:
      "Dieser Link funktioniert nicht. Er ist abgelaufen, verwendet oder durch einen neueren ersetzt.",
    problems: {
      failed: "Es wurde nichts geändert. Bitte versuchen Sie es noch einmal.",
      tooMany: "Sie haben 20 Passkeys. Entfernen Sie zuerst einen.",
      last: "Das ist Ihr einziger Passkey, und Ihr Konto braucht einen. Fügen Sie zuerst einen " +
        "weiteren hinzu.",
    },
  },
};
