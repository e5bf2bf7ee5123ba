import type { Context } from "../../server/issuer/context.ts";
import type { ChosenSignIn } from "../../server/issuer/server_hooks.ts";
import { passkeyMethods } from "../../server/issuer/users/sign_in_factor.ts";
import { phishingResistant } from "../../server/protocol/acr.ts";
import { withoutUndefined } from "../../server/util/values/members.ts";
import { readSpan } from "./clock.ts";
import { showValue } from "./json_values.ts";
import { LabError, unknownName } from "./lab_error.ts";

/**
 * The header by which the browser of a lab sees pages that the lab would skip: its user decides
 * something else than hands-free users do.
 */
export const shownPagesHeader = "Lab-Pages";

const maxMethods = 10;

/** How a user signed in, for the claims of tokens and for introspection. */
export interface SignInDetails {
  /**
   * How strong the sign-in was: one of the lab's `acrValues`.
   *
   * @default as strong as the request asks for
   */
  acr?: string | undefined;
  /**
   * The methods used (RFC 8176): `["pwd", "otp"]`.
   *
   * @default those of the `acr`
   */
  amr?: readonly string[] | undefined;
  /**
   * When the user signed in: `"-1h"`, or a time such as 2030-01-01T00:00:00Z. A request for
   * a later sign-in, by `max_age` or `prompt=login`, gets a new one.
   *
   * @default the time of the sign-in
   */
  authTime?: string | undefined;
  /**
   * `"passkey"` sets `amr` and `acr`. It needs no device.
   *
   * @default a password
   */
  factor?: "passkey" | undefined;
}

/** What a user decides. */
export interface UnaskedDecision {
  /**
   * Whether the user allows the request or denies it.
   *
   * @default "allow"
   */
  decision?: "allow" | "deny" | undefined;
  /**
   * The part of the scope that the user allows. `openid` is allowed with any part.
   *
   * @default all that is requested
   */
  grant?: readonly string[] | undefined;
}

/** How a user of a test signed in, as it was read. */
export interface ChosenDetails {
  /** How strong the sign-in was. */
  acr?: string | undefined;
  /** The methods that were used (RFC 8176). */
  amr?: string[] | undefined;
  /** The time of the sign-in: `"2030-01-01T00:00:00.000Z"`. */
  authTime?: string | undefined;
  /** By what the user signed in, unless by password. */
  factor?: "passkey" | undefined;
}

/**
 * Reads what a test chose of a sign-in.
 *
 * @throws {LabError} The lab does not know the `acr`, or another member is invalid.
 */
export function readSignInDetails(
  { factor, authTime, ...details }: SignInDetails,
  { acrValues, now }: { acrValues: readonly string[]; now: () => number },
): ChosenDetails {
  if (factor !== undefined && factor !== "passkey") {
    throw unknownName("factor", showValue(factor), ["passkey"]);
  }
  const ofPasskey = {
    acr: acrValues.find((each) => each === phishingResistant),
    amr: passkeyMethods,
  };
  const { acr, amr } = { ...factor && ofPasskey, ...withoutUndefined(details) };
  if (acr !== undefined && !acrValues.includes(acr)) {
    const { message } = unknownName("acr", showValue(acr), acrValues);
    throw new LabError(`${message} To use another one, add it to the lab's setting 'acrValues'.`);
  }
  return {
    ...acr !== undefined && { acr },
    ...amr !== undefined && { amr: readMethods(amr) },
    ...authTime !== undefined && { authTime: readPast(authTime, now()).toISOString() },
    ...factor !== undefined && { factor },
  };
}

/** Returns what the server takes. */
export function toChosenSignIn({ authTime, ...strength }: ChosenDetails): ChosenSignIn {
  if (authTime === undefined) return strength;
  return { ...strength, authTime: Math.floor(Date.parse(authTime) / 1000) };
}

/** Checks what a user of a test is to decide. A server that takes any scope knows none yet. */
export function checkDecision(
  { settings: { scopes }, hooks: { admits } }: Context,
  { decision = "allow", grant }: UnaskedDecision,
): void {
  if (decision !== "allow" && decision !== "deny") {
    throw unknownName("decision", decision, ["allow", "deny"]);
  }
  if (grant === undefined) return;
  if (!Array.isArray(grant)) throw new LabError("The 'grant' must be a list of scopes.");
  const unknown = admits?.scope ? undefined : grant.find((token) => !scopes.has(token));
  if (unknown !== undefined) throw unknownName("scope", String(unknown), [...scopes.keys()]);
}

/** Returns the pages that a browser wants to see, although the lab would skip them. */
export function shownPages(header: string | null | undefined): string[] {
  return header?.split(",").map((name) => name.trim()) ?? [];
}

function readMethods(amr: unknown): string[] {
  const isList = Array.isArray(amr) && amr.length > 0 && amr.length <= maxMethods &&
    amr.every((each) => typeof each === "string" && /^[\x21-\x7e]{1,64}$/.test(each));
  if (isList) return [...amr];
  throw new LabError(`The 'amr' must be a list of 1 to ${maxMethods} names without spaces.`);
}

function readPast(authTime: unknown, now: number): Date {
  const time = typeof authTime === "string" ? readTime(authTime, now) : NaN;
  if (Number.isNaN(time)) {
    throw new LabError(
      `'${showValue(authTime)}' is not a valid 'authTime'. ` +
        `Use text: "-1h" for an hour ago, or 2030-01-01T00:00:00Z.`,
    );
  }
  if (time >= 0 && time <= now) return new Date(time);
  throw new LabError("The 'authTime' must not be later than the time of the lab, or before 1970.");
}

function readTime(text: string, now: number): number {
  return text.startsWith("-") ? now + readSpan(text) : Date.parse(text);
}
