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
