import type { Words } from "../../pages/languages/en.ts";

export const de: Words = {
  common: {
    notice: "Hinweis",
    home: "Startseite",
    signIn: "Anmelden",
    signOut: "Abmelden",
    signOutEffect:
      "Mit der Abmeldung endet der Zugriff der Anwendungen. Ausgenommen sind die, denen " +
      "Sie den Zugriff auch während Ihrer Abwesenheit erlaubt haben.",
    signedInAs: "Angemeldet als",
    toContinueTo: "weiter zu",
    continue: "Weiter",
    continueTo: "Weiter zu {name}",
    cancel: "Abbrechen",
    anotherAccount: "Anderes Konto verwenden",
    yourAccount: "Ihr Konto",
    connectedApps: "Verbundene Anwendungen",
  },
  footer: {
    support: "Hilfe",
    privacy: "Datenschutz",
    terms: "Nutzungsbedingungen",
  },
  home: {
    lead:
      "Melden Sie sich an, um zu sehen, wo Sie angemeldet sind und welche Anwendungen Ihr Konto " +
      "nutzen dürfen.",
    signedIn: "Sehen Sie, wo Sie angemeldet sind und welche Anwendungen Ihr Konto nutzen dürfen, " +
      "oder melden Sie sich ab.",
  },
  signIn: {
    failed: "Benutzername und Passwort passen nicht zusammen. Bitte versuchen Sie es noch einmal.",
    username: "Benutzername",
    usernameOrEmail: "Benutzername oder E-Mail-Adresse",
    password: "Passwort",
    oneClick: "Mit einem Klick anmelden",
    otherUser: "Anderer Benutzer",
    unknownUser: "Beliebiger Benutzername",
    details: "Einzelheiten dieser Anmeldung",
    asRequested: "wie angefordert",
    orPassword: "oder mit einem Passwort",
    yourAccount: "Ihrem Konto",
  },
  selectAccount: {
    title: "Konto auswählen",
    continueAs: "Weiter als {name}",
  },
  consent: {
    title: "Zugriff erlauben",
    question: "Zugriff erlauben?",
    wantsAccess: "möchte Ihr Konto nutzen",
    allow: "Erlauben",
    deny: "Ablehnen",
    takeBack: "Sie können diese Erlaubnis jederzeit unter {page} widerrufen.",
    redirect: "Sie werden weitergeleitet zu {address}",
    permissions: "Berechtigungen: {total}",
    permissionsOf: "Berechtigungen: {chosen} von {total}",
  },
  access: {
    aboutYou: "Angaben über Sie",
    actions: "Was die Anwendung tun darf",
    where: "Wofür das gilt",
    before: "Bereits erlaubt",
    includes: "Umfasst: {claims}",
    more: "{count} weitere anzeigen",
  },
  scopes: {
    openid: "Erfahren, wer Sie sind",
    profile: "Ihren Namen, Ihr Bild und weitere Angaben Ihres Profils sehen",
    email: "Ihre E-Mail-Adresse sehen",
    address: "Ihre Postanschrift sehen",
    phone: "Ihre Telefonnummer sehen",
    offline_access: "Den Zugriff auch während Ihrer Abwesenheit behalten, bis Sie ihn widerrufen",
    groups: "Ihre Gruppen sehen",
  },
  claims: {
    name: "Vollständiger Name",
    family_name: "Nachname",
    given_name: "Vorname",
    middle_name: "Zweiter Vorname",
    nickname: "Spitzname",
    preferred_username: "Bevorzugter Benutzername",
    profile: "Profilseite",
    picture: "Bild",
    website: "Website",
    gender: "Geschlecht",
    birthdate: "Geburtsdatum",
    zoneinfo: "Zeitzone",
    locale: "Sprache und Region",
    updated_at: "Letzte Änderung Ihres Profils",
    email: "E-Mail-Adresse",
    email_verified: "Ob Ihre E-Mail-Adresse bestätigt ist",
    address: "Postanschrift",
    phone_number: "Telefonnummer",
    phone_number_verified: "Ob Ihre Telefonnummer bestätigt ist",
  },
  untrustedClient: {
    describesItself: "Diese Anwendung beschreibt sich selbst unter {host}.",
    registeredItself: "Diese Anwendung hat sich selbst registriert.",
    notVerified: "Ihre Identität ist nicht überprüft.",
    sentTo: "Was Sie erlauben, wird an {receivers} gesendet.",
  },
  clientLinks: {
    about: "Über diese Anwendung:",
    website: "Website",
    privacyPolicy: "Datenschutzerklärung",
    terms: "Nutzungsbedingungen",
    logo: "Logo",
  },
  signedOut: {
    title: "Abgemeldet",
    heading: "Sie sind abgemeldet",
    leadsTo: "Die Schaltfläche führt zu {address}",
    frame: "Abmeldung bei einer Anwendung",
  },
  formPost: {
    title: "Zurück zur Anwendung",
  },
  error: {
    kinds: {
      badRequest: {
        title: "Diese Anfrage kann nicht bearbeitet werden",
        advice: "Die Anwendung, von der Sie kommen, hat eine ungültige Anfrage gesendet. Bitte " +
          "wenden Sie sich an deren Betreiber.",
      },
      denied: {
        title: "Zugriff verweigert",
        advice: "Die Anfrage wurde von Ihnen oder vom Server abgelehnt.",
      },
      notMember: {
        title: "Sie dürfen diese Anwendung nicht nutzen",
        advice: "Bitten Sie die Betreiber dieses Servers um Zugang.",
      },
      expired: {
        title: "Diese Seite ist abgelaufen",
        advice: "Gehen Sie zurück zur Anwendung und beginnen Sie von vorn.",
      },
      replaced: {
        title: "Eine neuere Anfrage wartet",
        advice: "Die Anwendung hat eine neuere Anfrage gesendet, deshalb gilt diese nicht mehr. " +
          "Prüfen Sie die neuere auf der Seite Ihres Kontos.",
      },
      notFound: {
        title: "Seite nicht gefunden",
        advice: "Prüfen Sie die Adresse, oder gehen Sie zur Startseite.",
      },
      wrongMethod: {
        title: "Diese Seite kann so nicht geöffnet werden",
        advice: "Gehen Sie zurück zur Anwendung und beginnen Sie von vorn.",
      },
      tooMany: {
        title: "Zu viele Versuche",
        advice: "Es gab in kurzer Zeit zu viele Versuche.",
      },
      unavailable: {
        title: "Vorübergehend nicht verfügbar",
        advice: "Der Server kann das im Moment nicht erledigen.",
      },
      serverError: {
        title: "Etwas ist schiefgegangen",
        advice: "Der Fehler liegt bei uns, nicht bei Ihnen. Bitte versuchen Sie es gleich noch " +
          "einmal.",
      },
    },
    tryAgain: "Bitte versuchen Sie es {when} noch einmal.",
    application: {
      knowsNothing: "An die Anwendung, von der Sie kommen, wurde nichts gesendet.",
      canBeTold: "An die Anwendung, von der Sie kommen, wurde nichts gesendet. Sie können sie " +
        "benachrichtigen:",
      mayNotKnow: "An die Anwendung wurde bereits eine Antwort gesendet. Falls sie nicht " +
        "angekommen ist, können Sie die Anwendung benachrichtigen:",
    },
  },
};
