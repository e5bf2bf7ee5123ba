import { messageOf } from "../util/error_message.ts";
import type { FaultName } from "./faults/catalogue.ts";
import type { Fault } from "./faults/fault.ts";
import { LabError, unknownName } from "./lab_error.ts";

const idTokenValidation = "OpenID Connect Core, section 3.1.3.7";

/** Responses that no application may accept as a login. */
export const drillVariants: readonly DrillVariant[] = [
  { fault: "metadata.wrong_issuer", see: "RFC 8414, section 3.3" },
  { fault: "callback.wrong_state", see: "RFC 9700, section 4.7.1" },
  { fault: "callback.without_state", see: "RFC 9700, section 4.7.1" },
  { fault: "callback.doubled_state", see: "OAuth 2.1, section 3.1" },
  { fault: "callback.wrong_iss", see: "RFC 9207, section 2.4" },
  { fault: "callback.without_iss", see: "RFC 9207, section 2.4" },
  { fault: "callback.doubled_iss", see: "RFC 9207, section 2.4" },
  { fault: "callback.error_and_code", see: "OAuth 2.1, section 4.1.2.1" },
  { fault: "callback.denied", see: "OAuth 2.1, section 4.1.2.1" },
  { fault: "callback.foreign_code", see: "OAuth 2.1, section 4.1.3" },
  { fault: "token.without_token_type", see: "OAuth 2.1, section 3.2.3" },
  { fault: "token.wrong_token_type", see: "OAuth 2.1, section 1.4.2" },
  { fault: "token.malformed_json", see: "OAuth 2.1, section 3.2.3" },
  { fault: "token.without_id_token", see: "OpenID Connect Core, section 3.1.3.3" },
  { fault: "id_token.wrong_iss", see: idTokenValidation },
  { fault: "id_token.wrong_aud", see: idTokenValidation },
  { fault: "id_token.expired", see: idTokenValidation },
  { fault: "id_token.alg_none", see: idTokenValidation },
  { fault: "id_token.wrong_nonce", see: idTokenValidation },
  { fault: "id_token.without_nonce", see: idTokenValidation },
  // Only userinfo shows that this ID token is about someone else.
  {
    fault: "id_token.wrong_sub",
    see: "OpenID Connect Core, section 5.3.2",
    needsUserinfo: true,
  },
];

/** The parts of a lab that a drill needs. */
export interface DrillTarget {
  fault(name: FaultName): Fault;
  faults: { remove(id: string): void };
  flows(): ReadonlyArray<{ uses: number }>;
}

/** How an application handled the hostile variants of a login. */
export interface DrillResult {
  /** The variants that the application accepted as a login, against the rule. */
  accepted: DrillVariant[];
  /** The faults of the variants that it rejected, as it should. */
  refused: string[];
  /**
   * The faults that never fired, or that the application cannot notice, because it does not use what
   * they change.
   */
  unmet: string[];
}

/** One hostile variant of a login. */
export interface DrillVariant {
  /** The fault that makes the login hostile. */
  fault: FaultName;
  /** The section with the rule that an application breaks if it accepts the login. */
  see: string;
  /** Whether only an application that calls userinfo can notice the fault. */
  needsUserinfo?: boolean;
}

/**
 * Runs the login of an application once under each hostile variant. The login resolves if the user
 * is signed in; it rejects, or resolves to false, if not.
 */
export async function drill(
  lab: DrillTarget,
  login: () => Promise<unknown>,
  only?: readonly FaultName[],
): Promise<DrillResult> {
  const variants = selectVariants(only);
  await rehearse(login);
  const result: DrillResult = { accepted: [], refused: [], unmet: [] };
  for (const variant of variants) {
    const before = countUses(lab);
    const fault = lab.fault(variant.fault);
    const succeeded = await succeeds(login);
    lab.faults.remove(fault.id);
    const isBlind = variant.needsUserinfo && succeeded && countUses(lab) === before;
    if (fault.fired === 0 || isBlind) result.unmet.push(variant.fault);
    else if (succeeded) result.accepted.push(variant);
    else result.refused.push(variant.fault);
  }
  return result;
}

/** Returns how often access tokens were used at the userinfo endpoint. */
function countUses(lab: DrillTarget): number {
  return lab.flows().reduce((sum, { uses }) => sum + uses, 0);
}

function selectVariants(only: readonly FaultName[] | undefined): readonly DrillVariant[] {
  if (!only) return drillVariants;
  const names = drillVariants.map(({ fault }) => fault);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown) throw unknownName("login variant", unknown, names);
  return drillVariants.filter(({ fault }) => only.includes(fault));
}

/** Checks that the login works at all: one that always fails would reject every variant. */
async function rehearse(login: () => Promise<unknown>): Promise<void> {
  try {
    await login();
  } catch (cause) {
    throw new LabError(`The login fails even without a fault: ${messageOf(cause)}`);
  }
}

async function succeeds(login: () => Promise<unknown>): Promise<boolean> {
  try {
    return await login() !== false;
  } catch {
    return false;
  }
}
