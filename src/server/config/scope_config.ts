import type { ClaimTargets } from "../model/claims.ts";
import type { LocalizedText } from "../model/localized_text.ts";

/** A scope that opens claims about the user. */
export interface ScopeConfig {
  /**
   * The text on the consent page, in one language or in several: `"See your groups"`, or `{ "en":
   * "See your groups", "de": "Ihre Gruppen sehen" }`.
   */
  text: LocalizedText;
  /**
   * The claims that the scope opens, beside the standard ones: a list for ID tokens, access tokens
   * and userinfo alike, or one list for each.
   *
   * @format claim
   * @default none
   */
  claims?: string[] | ClaimTargets;
}
