/** What a user or a client has, and what can end. */
export type CredentialKind =
  | "access token"
  | "refresh token"
  | "code"
  | "device code"
  | "auth_req_id"
  /** A request over the back channel that waits for its user. */
  | "open request"
  | "session"
  | "consent"
  | "client"
  /** The stored user or client itself, disabled or not. */
  | "entry";

/** The request over the back channel that waits for dora. */
export const openRequest = "open request";

/** Something that was issued, as the model knows it. */
export interface Credential {
  name: string;
  kind: CredentialKind;
  /** The secret, or the id of a client. */
  value: string;
  client: string;
  user?: "dora" | "erin" | undefined;
  /** The session of dora that it ends with: in this browser, or elsewhere. */
  session?: "here" | "elsewhere" | undefined;
  /** The authorization that it was issued from. */
  authorization?: string | undefined;
  /** Whether an operation of the schedule issued it. */
  isNew?: boolean;
}

/** Returns what dora's client `app` gets from an authorization that an operation made. */
export function newCredential(
  kind: CredentialKind,
  value: string,
  authorization: string,
): Credential {
  const name = `${kind} of '${authorization}'`;
  const parties = { client: "app", user: "dora", session: "here" } as const;
  return { ...parties, name, kind, value, authorization, isNew: true };
}

/** A condition on credentials. */
export type CredentialFilter = (credential: Credential) => boolean;

export const none: CredentialFilter = () => false;

export function named(name: string): CredentialFilter {
  return (credential) => credential.name === name;
}

/** What ends with the user's epoch. */
export function isHeldByDora(credential: Credential): boolean {
  return credential.user === "dora" && (isIssued(credential) || credential.kind === "session");
}

/** Tokens and codes: what is issued from an authorization. */
export function isIssued({ kind }: Credential): boolean {
  return ["access token", "refresh token", "code", "device code", "auth_req_id"].includes(kind);
}

export function ofAuthorization(authorization: string | undefined): CredentialFilter {
  return (credential) => authorization !== undefined && credential.authorization === authorization;
}

export function ofUser(user: string): CredentialFilter {
  return (credential) => credential.user === user;
}

export function ofClient(client: string): CredentialFilter {
  return (credential) => credential.client === client;
}
