import { isObject, parseJson } from "../../../server/util/text/json.ts";
import type { ApiResponse, CallApi } from "./call_api.ts";
import { readChallenges } from "./challenge.ts";

/** What an API demands of a token. */
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
  { headers }: ApiResponse,
  url: string,
  call: CallApi,
): Promise<ApiDemands> {
  const challenges = readChallenges(headers.get("WWW-Authenticate") ?? "") ?? [];
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
    const { status, text } = await call({ url: place, method: "GET", headers: {} });
    const metadata = status === 200 ? parseJson(text) : undefined;
    if (isObject(metadata) && typeof metadata.resource === "string") {
      const { resource: audience, dpop_signing_alg_values_supported: algs } = metadata;
      return {
        ...{ audience, scope, hasMetadata: true },
        dpopAlgs: [...dpopAlgs, ...Array.isArray(algs) ? algs.map(String) : []],
        bindsToCertificates: metadata.tls_client_certificate_bound_access_tokens === true,
      };
    }
  }
  const none = { audience: undefined, bindsToCertificates: false, hasMetadata: false };
  return { ...none, scope, dpopAlgs };
}

/** Reads the scope that an API demands of a token which lacks it (RFC 6750, section 3.1). */
export function readDemandedScope({ status, headers }: ApiResponse): string | undefined {
  if (status !== 403) return undefined;
  const challenges = readChallenges(headers.get("WWW-Authenticate") ?? "") ?? [];
  return challenges.find(({ parameters }) => parameters.scope)?.parameters.scope;
}
