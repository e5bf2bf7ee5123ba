import type { WireRequest } from "./exchange.ts";

/** An error, as far as it shows which parameter it is about. */
interface DescribedError {
  error: string;
  description: string;
}

/** Where a client puts its credentials. */
const credentialParameters = ["client_assertion", "client_secret"];

const quotedParameter = /\bparameter '([\w.-]+)'/;
/** A name such as `redirect_uri`. */
const compoundName = /\b[a-z]+(?:_[a-z]+)+\b/g;
/** A sentence such as "The scope 'x' is not allowed." */
const subject = /^The ([a-z]+) /;
const tokenNames: ReadonlyArray<readonly [words: RegExp, name: string]> = [
  [/^The refresh token /, "refresh_token"],
  [/^The device code /, "device_code"],
];

/** Parameters of one word, which a description may use in other meanings as well. */
const simpleNames = [
  "assertion",
  "audience",
  "claims",
  "code",
  "nonce",
  "prompt",
  "resource",
  "scope",
  "state",
];

/**
 * Returns the parameter or header that an error is about. Descriptions name it; where they don't,
 * the error code shows it.
 */
export function parameterAtFault(
  { error, description }: DescribedError,
  request: WireRequest,
): string | undefined {
  return parameterNamedIn(description) ?? parameterOfCode(error, request);
}

function parameterNamedIn(description: string): string | undefined {
  const [, quoted] = quotedParameter.exec(description) ?? [];
  if (quoted !== undefined) return quoted;
  const token = tokenNames.find(([words]) => words.test(description));
  if (token) return token[1];
  const [, word = ""] = subject.exec(description) ?? [];
  if (simpleNames.includes(word)) return word;
  return description.match(compoundName)?.[0];
}

function parameterOfCode(error: string, request: WireRequest): string | undefined {
  switch (error) {
    case "invalid_client":
      return credentialOf(request);
    case "invalid_dpop_proof":
    case "use_dpop_nonce":
      return "DPoP";
    case "invalid_token":
    case "insufficient_scope":
      return "Authorization";
    case "invalid_scope":
      return "scope";
    case "invalid_target":
      return "resource";
    case "unauthorized_client":
    case "unsupported_grant_type":
      return request.form.has("grant_type") ? "grant_type" : undefined;
    default:
      return undefined;
  }
}

/** Returns where a request has its credentials, or else the name that it gives itself. */
function credentialOf({ headers, form }: WireRequest): string {
  if (headers.authorization !== undefined) return "Authorization";
  return credentialParameters.find((name) => form.has(name)) ?? "client_id";
}
