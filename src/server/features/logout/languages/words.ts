/** The texts of the page of a logout request. */
export interface LogoutWords {
  /** The page on which a user confirms a sign-out. */
  signOut: Record<"title" | "question" | "comesFrom" | "stay" | "redirect", string>;
}
