import type { ChooseCredential, CredentialName } from "../../server/issuer/random.ts";
import { shortHash } from "../../server/util/crypto/hash.ts";

const alphabets: Readonly<Record<SubjectForm["form"], string>> = {
  uuid: "0123456789abcdef",
  hex: "0123456789abcdef",
  digits: "0123456789",
  uppercase: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  alphanumeric: "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
};

const members: Readonly<Partial<Record<CredentialName, keyof CredentialForms>>> = {
  code: "code",
  access_token: "accessToken",
  refresh_token: "refreshToken",
};

/** The form of an identifier: derived from a name, so that it is the same each time. */
export interface SubjectForm {
  /** What the identifier consists of. */
  form: "uuid" | "digits" | "hex" | "uppercase" | "alphanumeric";
  /**
   * How many characters.
   *
   * @integer
   * @minimum 1
   * @maximum 64
   * @default 21
   */
  length?: number | undefined;
  /**
   * What the identifier begins with.
   *
   * @default ""
   */
  prefix?: string | undefined;
  /**
   * What the identifier ends with.
   *
   * @default ""
   */
  suffix?: string | undefined;
}

/** The form of codes and opaque tokens. */
export interface CredentialForms {
  /** The form of authorization codes. */
  code?: CredentialForm | undefined;
  /** The form of opaque access tokens. */
  accessToken?: CredentialForm | undefined;
  /** The form of refresh tokens. */
  refreshToken?: CredentialForm | undefined;
}

/** The form of a code or an opaque token. */
export interface CredentialForm {
  /**
   * What it begins with.
   *
   * @default ""
   */
  prefix?: string | undefined;
  /**
   * What the rest consists of.
   *
   * @default "alphanumeric"
   */
  form?: "hex" | "alphanumeric" | undefined;
  /**
   * How many characters the rest has.
   *
   * @integer
   * @minimum 20
   * @maximum 512
   */
  length: number;
}

/**
 * Returns an identifier that is the same for the same text. It is not a secret, and proves nothing:
 * the subjects of test users only need the right form.
 */
export function derivedId(text: string, form: SubjectForm): string {
  const { prefix = "", suffix = "" } = form;
  return prefix + innerId(text, form) + suffix;
}

/** Returns the function that gives random credentials the form of a dialect. */
export function createFormedCredentials(
  forms: CredentialForms,
  randomSecret: () => string,
): ChooseCredential {
  return (name) => {
    const member = members[name];
    const form = member && forms[member];
    if (!form) return Promise.resolve(undefined);
    const { prefix = "", form: digits = "alphanumeric", length } = form;
    const others = digits === "hex" ? /[^a-f0-9]/g : /[^A-Za-z0-9]/g;
    let rest = "";
    while (rest.length < length) rest += randomSecret().replace(others, "");
    return Promise.resolve(prefix + rest.slice(0, length));
  };
}

function innerId(text: string, { form, length = 21 }: SubjectForm): string {
  if (form === "uuid") {
    const hex = charactersOf(text, alphabets.uuid, 32);
    // Version 4 of a UUID.
    const digits = `${hex.slice(0, 12)}4${hex.slice(13, 16)}a${hex.slice(17)}`;
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  }
  const characters = charactersOf(text, alphabets[form], length);
  // A number does not begin with zero.
  return form === "digits" ? characters.replace(/^0/, "1") : characters;
}

function charactersOf(text: string, alphabet: string, length: number): string {
  return Array.from({ length }, (_, at) => {
    // What precedes the text makes each position independent: otherwise two texts with the same
    // short hash would have the same id. What follows spreads the last characters over all bits.
    const hash = parseInt(shortHash(`${at} of ${text} at ${at} of the alphabet`), 36);
    return alphabet[Math.floor((hash / 2 ** 32) * alphabet.length)];
  }).join("");
}
