/** What parameters and members are called whose values are secrets. */
export const secretNames: readonly string[] = [
  "client_secret",
  "client_assertion",
  "code",
  "code_verifier",
  "access_token",
  "refresh_token",
  "id_token",
  "id_token_hint",
  "logout_token",
  "token",
  "subject_token",
  "actor_token",
  "assertion",
  "device_code",
  "device_secret",
  "user_code",
  "auth_req_id",
  "request_uri",
  "password",
  "current_password",
  "new_password",
  "repeated_password",
  "form_token",
  "registration_access_token",
  "response",
  "api_key",
];

const spelledAlike = new Set(secretNames.map(letters));
/** The endings of headers that carry a credential, such as X-API-Key. */
const secretHeader = /(?:^|-)(?:authorization|api-?key|token|secret|password)$/i;

/**
 * Whether the value of a parameter or member with this name is a secret. A client that misspells
 * the name, as `clientSecret` or `code[]`, still sends its secret.
 */
export function isSecret(name: string): boolean {
  return spelledAlike.has(letters(name));
}

/** Whether a header carries a credential. */
export function isSecretHeader(name: string): boolean {
  return secretHeader.test(name);
}

function letters(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, "");
}
