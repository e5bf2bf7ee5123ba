import type { JWTPayload } from "jose";
import { certificateRules } from "../server/protocol/certificate_rules.ts";
import { checkDpopProof, type DpopAlgorithm } from "../server/protocol/dpop_proof.ts";
import { dpop } from "../server/protocol/dpop_rules.ts";
import { checkScheme, type PresentedToken } from "../server/protocol/presented_token.ts";
import { applyRule } from "../server/protocol/rule.ts";
import { sha256OfBytes } from "../server/util/crypto/hash.ts";
import { isObject } from "../server/util/text/json.ts";
import { apiRules } from "./api_rules.ts";

/**
 * Records a DPoP proof, and returns true the first time. It must remember the proof until the given
 * time, in milliseconds.
 */
export type NoteProof = (id: string, until: number) => boolean | Promise<boolean>;

/** Returns the certificate in DER that the sender of a request proved, if it proved one. */
export type CertificateOf = (
  request: Request,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/**
 * Checks that the sender of a bound token has its keys (RFC 9449, section 7; RFC 8705, section 3).
 */
export async function checkPossession(
  { urlOf, noteProof, now, algs, certificateOf }: {
    urlOf: (request: Request) => string;
    noteProof: NoteProof;
    now: () => number;
    algs: readonly DpopAlgorithm[];
    certificateOf: CertificateOf | undefined;
  },
  request: Request,
  { scheme, token }: PresentedToken,
  claims: JWTPayload,
): Promise<void> {
  const { jkt, thumbprint } = boundKeys(claims);
  checkScheme(applyRule, scheme, jkt);
  if (thumbprint !== undefined) {
    const certificate = await certificateOf?.(request);
    const received = certificate && await sha256OfBytes(certificate);
    applyRule(certificateRules.token, { received, expected: thumbprint });
  }
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

/** The thumbprints of the keys that a token is bound to. */
interface TokenKeys {
  jkt?: string | undefined;
  /** Of the certificate. */
  thumbprint?: string | undefined;
}

function boundKeys({ cnf }: JWTPayload): TokenKeys {
  if (cnf === undefined) return {};
  const { jkt, "x5t#S256": thumbprint } = isObject(cnf) ? cnf : {};
  const named = [jkt, thumbprint].filter((each) => each !== undefined);
  const isKnown = named.length > 0 && named.every((each) => typeof each === "string");
  applyRule(apiRules.binding, { isKnown });
  return { jkt, thumbprint } as TokenKeys;
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
