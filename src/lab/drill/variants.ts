import type { FaultName } from "../faults/catalogue.ts";
import { unknownName } from "../util/lab_error.ts";

const idTokenValidation = "OpenID Connect Core, section 3.1.3.7";

const updateOfBcp = "draft-ietf-oauth-security-topics-update-03";

/** The requests of the application show whether this attack works, even if the login fails. */
export const audienceInjection: FaultName = "metadata.foreign_token_endpoint";

/** A login that one session begins, and another one completes. */
export const sessionFixation: FaultName = "callback.fixated_session";

/** What can go wrong in a login, and what an application must do with it. */
export const drillVariants: readonly DrillVariant[] = [
  { fault: "metadata.wrong_issuer", expectation: "refuse", see: "RFC 8414, section 3.3" },
  { fault: "callback.wrong_state", expectation: "refuse", see: "RFC 9700, section 4.7.1" },
  { fault: "callback.without_state", expectation: "refuse", see: "RFC 9700, section 4.7.1" },
  { fault: "callback.doubled_state", expectation: "refuse", see: "OAuth 2.1, section 3.1" },
  { fault: "callback.wrong_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.without_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.doubled_iss", expectation: "refuse", see: "RFC 9207, section 2.4" },
  { fault: "callback.error_and_code", expectation: "refuse", see: "OAuth 2.1, section 4.1.2.1" },
  { fault: "callback.denied", expectation: "refuse", see: "OAuth 2.1, section 4.1.2.1" },
  { fault: "callback.foreign_code", expectation: "refuse", see: "OAuth 2.1, section 4.1.3" },
  { fault: "token.without_token_type", expectation: "refuse", see: "OAuth 2.1, section 3.2.3" },
  { fault: "token.wrong_token_type", expectation: "refuse", see: "OAuth 2.1, section 1.4.2" },
  { fault: "token.malformed_json", expectation: "refuse", see: "OAuth 2.1, section 3.2.3" },
  {
    fault: "token.without_id_token",
    expectation: "refuse",
    see: "OpenID Connect Core, section 3.1.3.3",
  },
  { fault: "id_token.wrong_iss", expectation: "refuse", see: idTokenValidation },
  { fault: "id_token.wrong_aud", expectation: "refuse", see: idTokenValidation },
  { fault: "id_token.expired", expectation: "refuse", see: idTokenValidation },
  { fault: "id_token.alg_none", expectation: "refuse", see: idTokenValidation },
  { fault: "id_token.wrong_nonce", expectation: "refuse", see: idTokenValidation },
  { fault: "id_token.without_nonce", expectation: "refuse", see: idTokenValidation },
  // Only userinfo shows that this ID token is about someone else.
  {
    fault: "id_token.wrong_sub",
    expectation: "refuse",
    see: "OpenID Connect Core, section 5.3.2",
    needsUserinfo: true,
  },
  { fault: audienceInjection, expectation: "refuse", see: `${updateOfBcp}, section 2.1` },
  {
    fault: "callback.other_redirect_uri",
    expectation: "refuse",
    see: `${updateOfBcp}, section 2.2`,
  },
  { fault: sessionFixation, expectation: "refuse", see: `${updateOfBcp}, section 2.3` },
];

/**
 * What an application must do with a variant: refuse the login, or complete it although something is
 * unusual. Where the specifications permit both, neither is a finding.
 */
export type Expectation = "refuse" | "accept" | "either";

/** One hostile or unusual variant of a login. */
export interface DrillVariant {
  /** The fault that makes the login hostile or unusual. */
  fault: FaultName;
  /** What the application must do with it. */
  expectation: Expectation;
  /** The section with the rule that an application breaks if it does the opposite. */
  see: string;
  /** Whether only an application that calls userinfo can notice the fault. */
  needsUserinfo?: boolean;
}

/** Returns the variants with the given faults, or all. */
export function selectVariants(
  only: readonly FaultName[] | undefined,
): readonly DrillVariant[] {
  if (!only) return drillVariants;
  const names = drillVariants.map(({ fault }) => fault);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined) throw unknownName("login variant", String(unknown), names);
  return drillVariants.filter(({ fault }) => only.includes(fault));
}
