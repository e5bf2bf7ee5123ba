/** What a test can choose the values of. */
export type ValueKind =
  | "code"
  | "accessToken"
  | "refreshToken"
  | "deviceCode"
  | "userCode"
  | "clientId"
  | "clientSecret"
  | "registrationAccessToken";

export interface ValueForm {
  holds(value: string): boolean;
  expected: string;
  /** Returns a valid value as the server keeps it, if that differs. */
  toStored?(value: string): string | undefined;
}
