/** How the notes begin. */
export const notKnown = "Not known: ";

/** What metadata does not show about a provider, and what a lab does there. */
export const unknownNotes: readonly string[] = [
  "The form and the lifetime of access tokens: here, they are JWTs for an hour.",
  "The claims of ID tokens and userinfo, and their types: here, those of the scopes.",
  "The form of sub: here, the name of the user or a configured one.",
  "Whether clients with a secret need PKCE: here, they do.",
  "The status of redirects, 302 or 303, and more parameters of the response.",
  "Whether a refresh returns another refresh token: here, it does.",
  "Which responses have a refresh token, and how long it lasts.",
  "Errors: their names, texts and statuses.",
  "Pages, consent, prompts, and who may sign in.",
  "APIs beyond userinfo.",
].map((note) => notKnown + note);
