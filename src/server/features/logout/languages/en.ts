/**
 * The texts of the page of a logout request, in English.
 *
 * @internal
 */
export const en = {
  /** The page on which a user confirms a sign-out. */
  signOut: {
    title: "Sign out",
    question: "Sign out?",
    comesFrom: "You come from",
    stay: "Stay signed in",
    redirect: "After that, you'll be redirected to {address}",
  },
};

/** The texts of the page of a logout request. */
export type LogoutWords = typeof en;
