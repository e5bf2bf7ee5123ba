import { limitClientGuesses } from "../../issuer/limits/guess_limits.ts";
import { matchesHash, sha256 } from "../../util/hash.ts";
import { LabError } from "../lab_error.ts";

/** The token that guards the powers of a lab. */
export interface LabToken {
  /** Whether a header holds it. One network may be wrong 60 times a minute. */
  isIn(authorization: string, sender: string | undefined): Promise<boolean>;
}

const minLength = 16;
const wrongPerMinute = 60;

/** Returns why a token cannot guard a lab, or undefined. */
export function labTokenProblem(token: string): string | undefined {
  if (token.length >= minLength) return undefined;
  return `must have at least ${minLength} characters; make one with: openssl rand -hex 16`;
}

/**
 * Reads the token from a configuration; without one, the interface is open to this machine. The
 * clock is the machine's, because a test may stop the clock of the lab.
 */
export function readLabToken(token: string | undefined, now: () => number): LabToken | undefined {
  if (token === undefined) return undefined;
  const problem = labTokenProblem(token);
  if (problem) throw new LabError(`The labToken ${problem}.`);
  return createLabToken(token, now);
}

function createLabToken(token: string, now: () => number): LabToken {
  const limits = limitClientGuesses({ now, perMinute: wrongPerMinute });
  const expected = sha256(`Bearer ${token}`);
  return {
    async isIn(authorization, sender) {
      const compare = async () => await matchesHash(authorization, await expected) || undefined;
      return await limits.check({ name: "lab token", sender }, compare) ?? false;
    },
  };
}
