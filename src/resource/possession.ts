import type { JWTPayload } from "jose";
import { checkDpopProof, type DpopAlgorithm } from "../server/protocol/dpop_proof.ts";
import { dpop } from "../server/protocol/dpop_rules.ts";
import { checkScheme, type PresentedToken } from "../server/protocol/presented_token.ts";
import { applyRule } from "../server/protocol/rule.ts";
import { apiRules } from "./api_rules.ts";

/**
 * Records a DPoP proof, and returns true the first time. It must remember the proof until the given
 * time, in milliseconds.
 */
export type NoteProof = (id: string, until: number) => boolean | Promise<boolean>;

/** How an API checks proofs. */
export interface PossessionSettings {
  urlOf: (request: Request) => string;
  noteProof: NoteProof;
  now: () => number;
  algs: readonly DpopAlgorithm[];
}

/** Checks that the sender of a bound token has its key (RFC 9449, section 7). */
export async function checkPossession(
  { urlOf, noteProof, now, algs }: PossessionSettings,
  request: Request,
  { scheme, token }: PresentedToken,
  claims: JWTPayload,
): Promise<void> {
  const jkt = keyThumbprint(claims);
  checkScheme(applyRule, scheme, jkt);
  if (jkt === undefined) return;
  const header = request.headers.get("DPoP");
  applyRule(dpop.present, { jkt: header === null ? undefined : jkt });
  const { id, usableUntil } = await checkDpopProof(applyRule, header ?? "", {
    method: request.method,
    urls: [urlOf(request)],
    algs,
    now: now(),
    token: { text: token, jkt },
  });
  applyRule(dpop.unused, { isFirst: await noteProof(id, usableUntil) });
}

/** Returns the thumbprint of a token's key. */
function keyThumbprint({ cnf }: JWTPayload): string | undefined {
  const named = typeof cnf === "object" && cnf !== null && "jkt" in cnf ? cnf.jkt : undefined;
  const jkt = typeof named === "string" ? named : undefined;
  applyRule(apiRules.binding, { cnf, jkt });
  return jkt;
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
