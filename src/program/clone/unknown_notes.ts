import type { RecordedLogin } from "./recorded_login.ts";

/** How the notes begin. */
export const notKnown = "Not known: ";

/** What a lab does where neither metadata nor a login shows what the provider does. */
interface Unknown {
  note: string;
  /** Whether a login shows it. */
  isKnown(login: RecordedLogin): boolean;
}

const unknowns: readonly Unknown[] = [
  {
    note: "The form and the lifetime of access tokens: here, they are JWTs for an hour.",
    isKnown: ({ tokens }) => tokens?.lifetime !== undefined,
  },
  {
    note: "The claims of ID tokens and userinfo, and their types: here, those of the scopes.",
    isKnown: ({ tokens, userinfo }) => tokens?.idToken !== undefined && userinfo !== undefined,
  },
  {
    note: "The form of sub: here, the name of the user or a configured one.",
    isKnown: () => false,
  },
  {
    note: "Whether clients with a secret need PKCE: here, they do.",
    isKnown: ({ authorization }) => authorization?.hasPkce === false,
  },
  {
    note: "The status of redirects, 302 or 303, and more parameters of the response.",
    isKnown: ({ authorization }) => authorization?.status !== undefined,
  },
  {
    note: "Whether a refresh returns another refresh token: here, it does.",
    isKnown: ({ rotates }) => rotates !== undefined,
  },
  { note: "Which responses have a refresh token, and how long it lasts.", isKnown: () => false },
  { note: "Errors: their names, texts and statuses.", isKnown: () => false },
  { note: "Pages, consent, prompts, and who may sign in.", isKnown: () => false },
  { note: "APIs beyond userinfo.", isKnown: () => false },
];

/** Returns what could not be known about a provider. */
export function unknownNotes(login: RecordedLogin | undefined): string[] {
  return unknowns.filter(({ isKnown }) => login === undefined || !isKnown(login))
    .map(({ note }) => notKnown + note);
}
