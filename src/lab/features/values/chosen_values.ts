import type { CredentialName } from "../../../server/issuer/random.ts";
import { checkScope, type FlowScope } from "../../recording/flow_scope.ts";
import type { ValueForm, ValueKind } from "../../tokens/value_form.ts";
import { LabError } from "../../util/lab_error.ts";
import { deviceForms } from "../device/values.ts";

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

/** The values that a test chooses, and the requests that they are for. */
export interface ValueOptions extends FlowScope {
  /** Authorization codes. */
  code?: ValueChoice | undefined;
  /** Access tokens. They are opaque, even where the client or its API has JWTs. */
  accessToken?: ValueChoice | undefined;
  /** Refresh tokens. */
  refreshToken?: ValueChoice | undefined;
  /** Device codes. */
  deviceCode?: ValueChoice | undefined;
  /** User codes of devices: 8 consonants, with or without a dash. */
  userCode?: ValueChoice | undefined;
  /** Ids of clients that register. */
  clientId?: ValueChoice | undefined;
  /** Secrets of clients that register. */
  clientSecret?: ValueChoice | undefined;
  /** Registration access tokens. */
  registrationAccessToken?: ValueChoice | undefined;
}

/**
 * A value that is used each time, or several that are used once each, in their order. When they are
 * used up, the values are random again.
 */
export type ValueChoice = string | readonly string[];

/** Chosen values as data, without the values themselves. */
export interface ChosenValuesState extends FlowScope {
  /** The id of the choice in its lab. */
  id: string;
  /** The kinds of its values. */
  kinds: ValueKind[];
  /** How many values of each kind were used. */
  used: Record<string, number>;
}

/** Values that a test chose. */
export interface ChosenValues extends ChosenValuesState {
  /** Ends the choice. What has these values already keeps them. */
  remove(): void;
}

/**
 * Checks the values that a test chose.
 *
 * @throws {LabError} There is no such kind, a value is invalid, or the scope is. The message has no
 * value.
 */
export function checkValueOptions(options: ValueOptions, clientIds: readonly string[]): void {
  checkScope("value", options, valueKindNames);
  const kinds = chosenKinds(options);
  if (kinds.length === 0) {
    throw new LabError(`Choose at least one value: ${valueKindNames.join(", ")}.`);
  }
  for (const kind of kinds) {
    const values: readonly unknown[] = [options[kind]].flat();
    if (values.length === 0) throw new LabError(`The list '${kind}' must have a value.`);
    for (const value of values) {
      const problem = valueProblem(kind, value);
      if (problem !== undefined) throw new LabError(`A value of '${kind}' ${problem}.`);
    }
  }
  if ([options.clientId ?? []].flat().some((id) => clientIds.includes(id))) {
    throw new LabError("A value of 'clientId' is the id of a client already.");
  }
  const isList = kinds.some((kind) => Array.isArray(options[kind]));
  if (isList && options.times !== undefined) {
    throw new LabError("Each value of a list is used once; 'times' is for a single value.");
  }
}

/** Returns the kinds of which a test chose values. */
export function chosenKinds(options: ValueOptions): ValueKind[] {
  return valueKindNames.filter((kind) => options[kind] !== undefined);
}

/** Returns a valid value as the server keeps it. */
export function storedValue(kind: ValueKind, value: string): string {
  return forms[kind]?.toStored?.(value) ?? value;
}

/** What a header `Authorization: Bearer` can hold (RFC 6750, section 2.1). */
function headerToken(what: string): ValueForm {
  return {
    holds: (value) => /^[\w.~+/-]+=*$/.test(value),
    expected: `${what} has letters, digits and -._~+/ only, with = at its end`,
  };
}

/** Returns why a value cannot be one of its kind, without the value; undefined if it can. */
function valueProblem(kind: ValueKind, value: unknown): string | undefined {
  // All are of printable ASCII (OAuth 2.1, appendix A).
  if (typeof value !== "string" || !/^[\x20-\x7e]{1,1024}$/.test(value)) {
    return "must be text of 1 to 1024 printable ASCII characters";
  }
  const form = forms[kind];
  return form && !form.holds(value) ? `cannot be used: ${form.expected}` : undefined;
}
