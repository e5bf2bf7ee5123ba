/**
 * The texts about passkeys, in English.
 *
 * @internal
 */
export const en = {
  passkeys: {
    title: "Passkeys",
    lead: "A passkey signs you in with your device: a fingerprint, your face or a PIN.",
    signIn: "Sign in with a passkey",
    failed: "This passkey did not work here. Please try again, or use another one.",
    needed: "This account needs a passkey.",
    manage: "Manage passkeys",
    none: "You have no passkey yet.",
    ofConfiguration: "Your account is part of the server's configuration, and can't have passkeys.",
    synced: "Synced",
    onOneDevice: "On one device",
    added: "Added {date}",
    lastUsed: "Last used {when}",
    neverUsed: "Never used",
    otherHost: "Made for {host}, so it does not work here",
    name: "Name",
    rename: "Rename",
    remove: "Remove",
    add: "Add a passkey",
    needsScript: "To add a passkey, use a browser that has passkeys, with scripts allowed.",
    onlyPasskeys: "Sign in only with passkeys",
    onlyEffect: "Your password then no longer signs you in.",
    alsoPassword: "Allow my password again",
    recent: "Changes in the last 30 days",
    changes: {
      added: "{name} was added {when}",
      renamed: "Renamed to {name} {when}",
      removed: "{name} was removed {when}",
      only: "Password switched off {when}",
      also: "Password switched on {when}",
    },
    effect: "A change signs you out everywhere else.",
    linkEffect:
      "This passkey will replace all others of your account, and sign you out everywhere.",
    linkDone: "Your passkey is saved. You can sign in with it.",
    linkVoid: "This link does not work. It has expired, was used, or was replaced by a newer one.",
    problems: {
      failed: "Nothing was changed. Please try again.",
      tooMany: "You have 20 passkeys. Remove one first.",
      last: "This is your only passkey, and your account needs one. Add another one first.",
    },
  },
};

/** The texts about passkeys. */
export type PasskeyWords = typeof en;

/** Why passkeys are not changed. */
export type PasskeyProblem = keyof PasskeyWords["passkeys"]["problems"];
