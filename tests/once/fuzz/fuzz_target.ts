import { assert, assertMatch } from "@std/assert";
import type { Arbitrary } from "fast-check";
import { errorBody, OAuthError } from "../../../src/server/protocol/oauth_error.ts";

/** A part of the program, with what it is given and what must then hold. */
export interface FuzzTarget {
  name: string;
  /** Returns its inputs: JSON values, so that one that failed can be kept in a file. */
  inputs: Arbitrary<unknown>;
  /** Throws if an input shows a fault. */
  check(input: unknown): void | Promise<void>;
  /** How many inputs the ordinary tests try. */
  inShort: number;
}

const inShortByDefault = 25;

/** Creates a target, with the type of its inputs for its check. */
export function fuzzTarget<Input>(
  name: string,
  inputs: Arbitrary<Input>,
  check: (input: Input) => void | Promise<void>,
  inShort: number = inShortByDefault,
): FuzzTarget {
  return { name, inputs, check: (input) => check(input as Input), inShort };
}

/** Runs a rule. Returns undefined if it refuses; a refusal must be an error for clients. */
export async function acceptedBy<T>(rule: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await rule();
  } catch (cause) {
    if (!(cause instanceof OAuthError)) throw cause;
    assertClientError(cause);
    return undefined;
  }
}

function assertClientError(error: OAuthError): void {
  assert(error.status >= 400 && error.status < 500, `status ${error.status}`);
  assert(error.message !== "");
  const { error: code, error_description: description } = errorBody(error, { showsHint: true });
  assertMatch(code, /^[a-z_]+$/);
  assertDescription(description);
}

/**
 * Fails if a text has characters that no `error_description` may have (OAuth 2.1, section 3.2.4).
 */
export function assertDescription(description: string): void {
  assertMatch(description, /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
}
