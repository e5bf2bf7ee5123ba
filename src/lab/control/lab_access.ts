import { limitClientGuesses } from "../../server/issuer/limits/guess_limits.ts";
import { matchesHash, sha256 } from "../../server/util/crypto/hash.ts";
import { LabError } from "../util/lab_error.ts";

const minLength = 16;
const guessesPerMinute = 60;

/** The token that guards the interface of a lab over HTTP. */
export type LabToken = ReturnType<typeof createLabToken>;

/** Returns why a text cannot be the token of a lab, or undefined. */
export function labTokenProblem(token: string): string | undefined {
  if (token.length >= minLength) return undefined;
  return `must have at least ${minLength} characters; create one with: openssl rand -hex 16`;
}

/**
 * Reads the token from a configuration. The clock is that of the machine, because a test may stop
 * the clock of the lab.
 */
export function readLabToken(token: string | undefined, now: () => number): LabToken | undefined {
  if (token === undefined) return undefined;
  const problem = labTokenProblem(token);
  if (problem) throw new LabError(`The labToken ${problem}.`);
  return createLabToken(token, now);
}

function createLabToken(token: string, now: () => number) {
  const limits = limitClientGuesses({ now, perMinute: guessesPerMinute });
  const expected = sha256(`Bearer ${token}`);
  return {
    /**
     * Whether an Authorization header has the token. One network may be wrong 60 times a minute.
     */
    async matches(authorization: string, sender: string | undefined): Promise<boolean> {
      const compare = async () => await matchesHash(authorization, await expected) || undefined;
      return await limits.check({ name: "lab token", sender }, compare) ?? false;
    },
    /** Returns what a browser with this secret keeps in place of the token. */
    derive: async (secret: string) => await sha256(`lab pages\n${secret}\n${token}`),
  };
}
