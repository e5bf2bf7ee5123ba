import type { FormParameters } from "./form_parameters.ts";
import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request");

const kilobyte = 1024;

/**
 * How long the parameters may be that are kept while their person signs in. Anyone can send them, so
 * what one request makes us store must be small. A parameter that may be repeated counts as a whole.
 */
const maxLengths = {
  redirect_uri: 2 * kilobyte,
  post_logout_redirect_uri: 2 * kilobyte,
  state: 2 * kilobyte,
  nonce: 1 * kilobyte,
  login_hint: 1 * kilobyte,
  acr_values: 1 * kilobyte,
  ui_locales: 1 * kilobyte,
  claims_locales: 1 * kilobyte,
  scope: 4 * kilobyte,
  resource: 4 * kilobyte,
  claims: 8 * kilobyte,
  authorization_details: 8 * kilobyte,
};

type BoundedParameter = keyof typeof maxLengths;

const bounds = Object.entries(maxLengths) as Array<[BoundedParameter, number]>;

/** Checks that no parameter is too long; if names are given, only theirs. */
export function checkLengths(
  parameters: FormParameters,
  among?: readonly BoundedParameter[],
): void {
  for (const [name, max] of bounds) {
    if (among && !among.includes(name)) continue;
    const length = parameters.all(name).reduce((sum, value) => sum + value.length, 0);
    if (length <= max) continue;
    throw invalidRequest(`The parameter '${name}' is longer than ${max} characters.`);
  }
}
