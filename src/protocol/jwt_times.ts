/** So far, in seconds, the clock of a client may differ from ours (FAPI 2.0 Security Profile, section 5.3.2.1). */
const clockTolerance = 10;

/** What a JWT must say of its times. */
export interface TimeLimits {
  needsExp: boolean;
  /** So far ahead, in seconds, may it end. */
  maxLifetime: number;
}

/** Says what is wrong with the times of a JWT that somebody else made, or nothing (RFC 7519, section 4.1). */
export function timesProblem(
  claims: Readonly<Record<string, unknown>>,
  now: number,
  { needsExp, maxLifetime }: TimeLimits,
): string | undefined {
  const { exp, nbf, iat } = claims;
  for (const [name, value] of Object.entries({ exp, nbf, iat })) {
    if (value !== undefined && !Number.isFinite(value)) {
      return `its '${name}' is not a number of seconds`;
    }
  }
  if (needsExp && exp === undefined) return "it has no 'exp'";
  if (exp !== undefined && Number(exp) + clockTolerance <= now) {
    return `it ended ${Math.round(now - Number(exp))} seconds ago`;
  }
  if (exp !== undefined && Number(exp) > now + maxLifetime + clockTolerance) {
    return `its 'exp' lies more than ${maxLifetime} seconds ahead`;
  }
  if (nbf !== undefined && Number(nbf) > now + clockTolerance) {
    return "its 'nbf' lies in the future";
  }
  if (iat !== undefined && Number(iat) > now + clockTolerance) {
    return "its 'iat' lies in the future";
  }
  return undefined;
}

/** Until when a JWT can be sent once more, in seconds: so long its `jti` must be remembered. */
export function usableUntil({ exp }: Readonly<Record<string, unknown>>): number {
  return Number(exp) + clockTolerance;
}
