import { describe } from "node:test";
import {
  type Case,
  type Cases,
  confidential,
  itLooksTheSame,
  lateForToken,
  outsideLabs,
  removeDora,
  used,
} from "../../support/same_refusals.ts";

function revoke(token: string): Case {
  return async (kit) => await kit.revoke(token, {}, confidential);
}

/** The client learns that a token is another one's, as RFC 7009, section 2.1, requires. */
const revokedTokens: Cases = {
  "unknown": revoke("a"),
  "expired": used(revoke, lateForToken),
  "revoked": used(revoke, removeDora),
};

describe(outsideLabs, () => itLooksTheSame("A token at /oauth2/revoke", revokedTokens));
