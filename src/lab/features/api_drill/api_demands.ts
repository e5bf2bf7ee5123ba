import { isObject, parseJson } from "../../../server/util/text/json.ts";
import type { ApiResponse, CallApi } from "./call_api.ts";

const token = "[\\w!#$%&'*+.^`|~-]+";
const scheme = new RegExp(`^(${token})(?: +|(?=,|$))`);
const parameter = new RegExp(`^(${token}) *= *(?:(${token})|"((?:[^"\\\\]|\\\\.)*)") *(?:, *|$)`);
const token68 = /^[\w.~+/-]+=*(?: *, *|$)/;

export interface ReadChallenge {
  scheme: string;
  parameters: Readonly<Record<string, string>>;
}

/**
 * Reads a WWW-Authenticate header (RFC 9110, section 11.6.1): all challenges, or undefined if its
 * syntax is wrong.
 */
export function readChallenges(header: string): ReadChallenge[] | undefined {
  const challenges: ReadChallenge[] = [];
  let rest = header.trim();
  while (rest !== "") {
    const [begin, name] = scheme.exec(rest) ?? [];
    if (begin === undefined || name === undefined) return undefined;
    rest = rest.slice(begin.length).replace(/^, */, "");
    const parameters: Record<string, string> = {};
    for (let found = parameter.exec(rest); found; found = parameter.exec(rest)) {
      const [whole, key = "", plain, quoted = ""] = found;
      parameters[key.toLowerCase()] = plain ?? quoted.replace(/\\(.)/g, "$1");
      rest = rest.slice(whole.length);
    }
    if (Object.keys(parameters).length === 0) rest = rest.replace(token68, "");
    // What is left after the parameters must begin another challenge.
    if (rest !== "" && !scheme.test(rest)) return undefined;
    challenges.push({ scheme: name.toLowerCase(), parameters });
  }
  return challenges;
}

/** Returns the challenges of a response; none if their syntax is wrong. */
export function challengesIn({ headers }: ApiResponse): ReadChallenge[] {
  return readChallenges(headers.get("WWW-Authenticate") ?? "") ?? [];
}

interface ApiDemands {
  audience: string | undefined;
  scope: string | undefined;
  /** The algorithms of DPoP proofs that it declares; without DPoP, none. */
  dpopAlgs: readonly string[];
  bindsToCertificates: boolean;
  hasMetadata: boolean;
}

/** Reads what an API demands, from its challenge and its metadata (RFC 9728, section 5). */
export async function readDemands(
  response: ApiResponse,
  url: string,
  call: CallApi,
): Promise<ApiDemands> {
  const challenges = challengesIn(response);
  const [named] = challenges.flatMap(({ parameters }) => parameters.resource_metadata ?? []);
  const [scope] = challenges.flatMap(({ parameters }) => parameters.scope ?? []);
  const ofDpop = challenges.filter(({ scheme }) => scheme === "dpop");
  // Each implementation of DPoP supports ES256 (RFC 9449, section 4.2).
  const dpopAlgs = ofDpop.flatMap(({ parameters }) => (parameters.algs ?? "ES256").split(" "));
  const { origin, pathname } = new URL(url);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const own = named !== undefined && URL.canParse(named) && new URL(named).origin === origin;
  const places = own ? [named] : [wellKnown + pathname.replace(/\/$/, ""), wellKnown];
  for (const place of places) {
    const { status, text } = await call(() => ({ url: place, method: "GET", headers: {} }));
    const metadata = status === 200 ? parseJson(text) : undefined;
    if (isObject(metadata) && typeof metadata.resource === "string") {
      const { resource: audience, dpop_signing_alg_values_supported: algs } = metadata;
      return {
        audience,
        scope,
        hasMetadata: true,
        dpopAlgs: [...dpopAlgs, ...Array.isArray(algs) ? algs.map(String) : []],
        bindsToCertificates: metadata.tls_client_certificate_bound_access_tokens === true,
      };
    }
  }
  const none = { audience: undefined, bindsToCertificates: false, hasMetadata: false };
  return { ...none, scope, dpopAlgs };
}

/** Reads the scope that an API demands of a token which lacks it (RFC 6750, section 3.1). */
export function readDemandedScope(response: ApiResponse): string | undefined {
  if (response.status !== 403) return undefined;
  return challengesIn(response).find(({ parameters }) => parameters.scope)?.parameters.scope;
}
