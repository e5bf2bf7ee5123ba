import type { JWTPayload } from "jose";
import { checkDpopProof, type DpopAlgorithm, invalidDpopProof } from "../protocol/dpop_proof.ts";
import { errorFactory } from "../protocol/oauth_error.ts";
import { checkScheme, type PresentedToken } from "../protocol/presented_token.ts";
import type { NoteProof } from "./proof_memory.ts";

/** How an API checks proofs. */
export interface PossessionSettings {
  addressOf: (request: Request) => string;
  noteProof: NoteProof;
  now: () => number;
  algs: readonly DpopAlgorithm[];
}

const invalidToken = errorFactory("invalid_token", "RFC 9449, section 7");

/** Whoever presents a bound token proves that they hold its key (RFC 9449, section 7). */
export async function checkPossession(
  { addressOf, noteProof, now, algs }: PossessionSettings,
  request: Request,
  { scheme, token }: PresentedToken,
  claims: JWTPayload,
): Promise<void> {
  const jkt = keyOf(claims);
  checkScheme(scheme, jkt);
  if (jkt === undefined) return;
  const header = request.headers.get("DPoP");
  if (header === null) {
    throw invalidDpopProof("The access token is bound to a key, and no DPoP proof came with it.");
  }
  const proven = {
    method: request.method,
    urls: [addressOf(request)],
    algs,
    now: now(),
    token: { text: token, jkt },
  };
  const { id, usableUntil } = await checkDpopProof(header, proven);
  if (!await noteProof(id, usableUntil)) {
    throw invalidDpopProof("The proof was sent before; each request needs a proof of its own.");
  }
}

/** The key that a token is bound to. One that is bound in a way that cannot be checked here must not pass for an unbound one. */
function keyOf({ cnf }: JWTPayload): string | undefined {
  if (cnf === undefined) return undefined;
  const jkt = typeof cnf === "object" && cnf !== null && "jkt" in cnf ? cnf.jkt : undefined;
  if (typeof jkt === "string") return jkt;
  throw invalidToken("The access token is bound in another way than to a DPoP key.");
}
