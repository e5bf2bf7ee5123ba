import type { AccountPageWords } from "./en.ts";

export const de: AccountPageWords = {
  account: {
    waitingRequests: "Wartet auf Sie",
    waitingAdvice:
      "Eine Anwendung hat eine Anfrage zu Ihrem Konto. Prüfen Sie nur, was Sie selbst ausgelöst haben.",
    waitingTime: "Sie läuft {when} ab.",
    reviewRequest: "Prüfen",
    sessions: "Wo Sie angemeldet sind",
    thisBrowser: "Dieser Browser",
    browserOn: "{browser} unter {system}",
    unknownBrowser: "Unbekannter Browser",
    signedIn: "Angemeldet {when}",
    endOthers: "Überall sonst abmelden",
    passwordChanged: "Zuletzt geändert {when}",
    changePassword: "Passwort ändern",
    someApps: "Diese Anwendungen dürfen Ihr Konto nutzen. Wenn Sie eine entfernen, muss sie " +
      "erneut um Erlaubnis bitten.",
    moreApps: "Weitere Anwendungen",
    noApps: "Keine Anwendung darf Ihr Konto nutzen.",
    onDevice: "Auf Ihrem eigenen Gerät",
    describesItself: "Beschreibt sich selbst unter {host}",
    registeredItself: "Hat sich selbst registriert",
    sentTo: "Was Sie erlaubt haben, wird an {receivers} gesendet",
    since: "Seit dem {date}",
    lastAllowed: "Zuletzt erlaubt am {date}",
    remove: "Zugriff entziehen",
    byOperator: "Von Ihrer Administration erlaubt",
  },
  changePassword: {
    effect: "In diesem Browser bleiben Sie angemeldet, überall sonst werden Sie abgemeldet. Bei " +
      "Anwendungen, die Sie dort nutzen, müssen Sie sich erneut anmelden.",
    current: "Aktuelles Passwort",
    next: "Neues Passwort",
    rule: "Mindestens {count} Zeichen. Einige Wörter, die nicht zusammengehören, sind leicht zu " +
      "merken und schwer zu erraten.",
    repeat: "Neues Passwort wiederholen",
    problems: {
      wrong: "Das aktuelle Passwort ist falsch. Bitte versuchen Sie es noch einmal.",
      tooShort: "Das neue Passwort ist zu kurz.",
      isName: "Das neue Passwort darf nicht Ihr Benutzername oder Ihre E-Mail-Adresse sein.",
      unchanged: "Das neue Passwort darf nicht das aktuelle sein.",
      notRepeated:
        "Die neuen Passwörter stimmen nicht überein. Bitte geben Sie beide noch einmal ein.",
    },
  },
  choosePassword: {
    title: "Passwort wählen",
    invite: "Willkommen! Dies wird das Passwort Ihres Kontos {user}.",
    reset: "Es ersetzt das Passwort Ihres Kontos {user} und meldet Sie überall ab.",
    save: "Passwort speichern",
    done: "Ihr Passwort ist gespeichert",
    next: "Melden Sie sich damit als {user} an.",
    void: "Dieser Link funktioniert nicht",
    ask:
      "Er ist abgelaufen, wurde schon benutzt oder durch einen neueren ersetzt. Bitten Sie die Person, die ihn geschickt hat, um einen anderen.",
  },
};
