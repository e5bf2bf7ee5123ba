import { errorFactory } from "./oauth_error.ts";

const invalidRequest = errorFactory("invalid_request", "OpenID Connect Core, section 3.1.2.1");

/** Reads how old a sign-in may be at most (OpenID Connect Core, section 3.1.2.1). */
export function readMaxAge(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^\d{1,9}$/.test(text)) {
    throw invalidRequest("The max_age is a number of seconds.");
  }
  return Number(text);
}
