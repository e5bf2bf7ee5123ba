import type { CredentialName } from "../../../server/issuer/random.ts";
import type { ValueForm, ValueKind } from "../../tokens/value_form.ts";
import { deviceForms } from "../device/tokens.ts";

/** The kinds, with the names of their values on the wire. */
export const valueKinds: Readonly<Record<ValueKind, CredentialName>> = {
  code: "code",
  accessToken: "access_token",
  refreshToken: "refresh_token",
  deviceCode: "device_code",
  userCode: "user_code",
  clientId: "client_id",
  clientSecret: "client_secret",
  registrationAccessToken: "registration_access_token",
};

/** The names of all kinds. */
export const valueKindNames: readonly ValueKind[] = Object.keys(valueKinds) as ValueKind[];

/** What applications can send: the server itself would accept more. */
const forms: Readonly<Partial<Record<ValueKind, ValueForm>>> = {
  accessToken: headerToken("an access token"),
  registrationAccessToken: headerToken("a registration access token"),
  clientId: {
    // The URL of a registration has the id as a segment.
    holds: (value) => /^[\w.~!$&'()*+,;=:@-]+$/.test(value) && !/^\.{1,2}$/.test(value),
    expected: "a client id has letters, digits and -._~!$&'()*+,;=:@ only",
  },
  ...deviceForms,
};

/** What a header `Authorization: Bearer` can hold (RFC 6750, section 2.1). */
function headerToken(what: string): ValueForm {
  return {
    holds: (value) => /^[\w.~+/-]+=*$/.test(value),
    expected: `${what} has letters, digits and -._~+/ only, with = at its end`,
  };
}

/** Returns why a value cannot be one of its kind, without the value; undefined if it can. */
export function valueProblem(kind: ValueKind, value: unknown): string | undefined {
  // All are of printable ASCII (OAuth 2.1, appendix A).
  if (typeof value !== "string" || !/^[\x20-\x7e]{1,1024}$/.test(value)) {
    return "must be text of 1 to 1024 printable ASCII characters";
  }
  const form = forms[kind];
  return form && !form.holds(value) ? `cannot be used: ${form.expected}` : undefined;
}

/** Returns a valid value as the server keeps it. */
export function storedValue(kind: ValueKind, value: string): string {
  return forms[kind]?.toStored?.(value) ?? value;
}
