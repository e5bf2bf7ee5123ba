import { readJwt } from "../../lab/recording/credentials.ts";
import { isObject } from "../../server/util/text/json.ts";

/** What the token response looks like. */
export interface RecordedTokens {
  isForm: boolean;
  hasLowerCaseType: boolean;
  hasCommas: boolean;
  hasScope: boolean;
  lifetime: number | undefined;
  /** The names of its members. */
  members: readonly string[];
  accessToken: RecordedJwt | "opaque" | undefined;
  idToken: RecordedJwt | undefined;
}

/** What a JWT looks like. */
export interface RecordedJwt {
  typ: "JWT" | "at+jwt" | "none" | "other";
  /** The names of its claims. */
  claims: readonly string[];
}

/** Words, perhaps with a number, perhaps below a URL: no credential looks like that. */
export const plainName: RegExp =
  /^(?:https?:\/\/[a-z.-]{1,60}\/(?:[a-z]{1,20}\/)*)?[a-z][a-z_-]{0,40}\d?$/i;

/** Reads the members of a token response. */
export function readTokens(
  members: Readonly<Record<string, unknown>>,
  isForm: boolean,
): RecordedTokens {
  const { access_token, id_token, token_type, scope, expires_in } = members;
  const lifetime = Number(expires_in);
  return {
    isForm,
    hasLowerCaseType: token_type === "bearer",
    hasCommas: typeof scope === "string" && scope.includes(","),
    hasScope: scope !== undefined,
    lifetime: Number.isSafeInteger(lifetime) && lifetime > 0 ? lifetime : undefined,
    members: namesOf(members),
    accessToken: readRecordedJwt(access_token) ?? "opaque",
    idToken: readRecordedJwt(id_token),
  };
}

function readRecordedJwt(token: unknown): RecordedJwt | undefined {
  const { header, claims } = typeof token === "string" ? readJwt(token) ?? {} : {};
  if (!isObject(header) || !isObject(claims)) return undefined;
  const { typ } = header;
  const known = ["JWT", "at+jwt"].find((each) => each === typ) as "JWT" | "at+jwt" | undefined;
  return { typ: known ?? (typ === undefined ? "none" : "other"), claims: namesOf(claims) };
}

/** Returns the names of members, without those that may be secrets themselves. */
export function namesOf(members: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(members).filter((name) => plainName.test(name));
}
