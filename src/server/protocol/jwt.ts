/** How far clocks may differ, in seconds (FAPI 2.0 Security Profile, section 5.3.2.1). */
const clockTolerance = 10;

export type JwtClaims = Readonly<Record<string, unknown>>;

/** Which times a JWT must contain. */
export interface JwtTimeLimits {
  needsExp: boolean;
  /** How far in the future it may expire, in seconds. */
  maxLifetime: number;
  /** Whether it may also expire only as long after its `iat`, if it has one. */
  fromIat?: boolean;
}

/** Returns why the times of an external JWT are invalid, or undefined (RFC 7519, section 4.1). */
export function jwtTimesProblem(
  claims: JwtClaims,
  now: number,
  { needsExp, maxLifetime, fromIat = false }: JwtTimeLimits,
): string | undefined {
  const { exp, nbf, iat } = claims;
  for (const [name, value] of Object.entries({ exp, nbf, iat })) {
    if (value !== undefined && !Number.isFinite(value)) {
      return `its '${name}' is not a number of seconds`;
    }
  }
  if (needsExp && exp === undefined) return "it has no 'exp'";
  if (exp !== undefined && Number(exp) + clockTolerance <= now) {
    return `it expired ${Math.round(now - Number(exp))} seconds ago`;
  }
  if (exp !== undefined && Number(exp) > now + maxLifetime + clockTolerance) {
    return `its 'exp' is more than ${maxLifetime} seconds in the future`;
  }
  if (fromIat && Number(exp) > Number(iat) + maxLifetime + clockTolerance) {
    return `its 'exp' is more than ${maxLifetime} seconds after its 'iat'`;
  }
  if (nbf !== undefined && Number(nbf) > now + clockTolerance) {
    return "its 'nbf' is in the future";
  }
  if (iat !== undefined && Number(iat) > now + clockTolerance) {
    return "its 'iat' is in the future";
  }
  return undefined;
}

/**
 * Returns until when a JWT could be replayed, in seconds. Its `jti` must be remembered that long.
 */
export function usableUntil({ exp }: JwtClaims): number {
  return Number(exp) + clockTolerance;
}

/** Whether the `typ` of a JWT is an allowed one. An undefined entry allows a JWT without `typ`. */
export function isJwtType(typ: unknown, allowed: ReadonlyArray<string | undefined>): boolean {
  return allowed.some((each) => mediaTypeOf(each) === mediaTypeOf(typ));
}

/**
 * Normalizes a `typ`. It is a media type: case-insensitive, with an optional "application/" prefix
 * (RFC 7515, section 4.1.9).
 */
function mediaTypeOf(typ: unknown): unknown {
  if (typeof typ !== "string") return typ;
  const type = typ.toLowerCase();
  return type.includes("/") ? type : `application/${type}`;
}
