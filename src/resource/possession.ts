import type { JWTPayload } from "jose";
import { checkDpopProof, type DpopAlgorithm } from "../protocol/dpop_proof.ts";
import { boundTokenHasProof, proofIsUnused } from "../protocol/dpop_rules.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import { checkScheme, type PresentedToken } from "../protocol/presented_token.ts";
import { applyRule } from "../protocol/rule.ts";

const invalidToken = errorFactory("invalid_token", "RFC 9449, section 7");

/**
 * Records a DPoP proof, and returns true the first time. It must remember the proof until the given
 * time, in milliseconds.
 */
export type NoteProof = (id: string, until: number) => boolean | Promise<boolean>;

/** How an API checks proofs. */
export interface PossessionSettings {
  addressOf: (request: Request) => string;
  noteProof: NoteProof;
  now: () => number;
  algs: readonly DpopAlgorithm[];
}

/** Checks that the sender of a bound token has its key (RFC 9449, section 7). */
export async function checkPossession(
  { addressOf, noteProof, now, algs }: PossessionSettings,
  request: Request,
  { scheme, token }: PresentedToken,
  claims: JWTPayload,
): Promise<void> {
  const jkt = keyThumbprint(claims);
  checkScheme(applyRule, scheme, jkt);
  if (jkt === undefined) return;
  const header = request.headers.get("DPoP");
  applyRule(boundTokenHasProof, { jkt: header === null ? undefined : jkt });
  const { id, usableUntil } = await checkDpopProof(applyRule, header ?? "", {
    method: request.method,
    urls: [addressOf(request)],
    algs,
    now: now(),
    token: { text: token, jkt },
  });
  applyRule(proofIsUnused, { isFirst: await noteProof(id, usableUntil) });
}

/** Returns the thumbprint of a token's key. An unknown kind of binding must not be ignored. */
function keyThumbprint({ cnf }: JWTPayload): string | undefined {
  if (cnf === undefined) return undefined;
  const jkt = typeof cnf === "object" && cnf !== null && "jkt" in cnf ? cnf.jkt : undefined;
  if (typeof jkt === "string") return jkt;
  throw invalidToken("The access token is bound by a method other than DPoP.");
}

/** Creates a memory of used proofs in this process, until they expire (RFC 9449, section 11.1). */
export function createProofMemory(now: () => number): NoteProof {
  const used = new Map<string, number>();
  return (id, until) => {
    // Proofs arrive roughly in the order in which they expire.
    for (const [oldId, oldUntil] of used) {
      if (oldUntil > now()) break;
      used.delete(oldId);
    }
    if (used.has(id)) return false;
    used.set(id, until);
    return true;
  };
}
