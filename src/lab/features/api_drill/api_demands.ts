import { isObject, parseJson } from "../../../server/util/text/json.ts";
import type { ApiResponse, CallApi } from "./call_api.ts";
import { readChallenges } from "./challenge.ts";

/** What an API demands of a token. */
interface ApiDemands {
  audience: string | undefined;
  scope: string | undefined;
  namesDpop: boolean;
  bindsToCertificates: boolean;
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
  const namesDpop = challenges.some(({ scheme }) => scheme === "dpop");
  const { origin, pathname } = new URL(url);
  const wellKnown = `${origin}/.well-known/oauth-protected-resource`;
  const own = named !== undefined && URL.canParse(named) && new URL(named).origin === origin;
  const places = own ? [named] : [wellKnown + pathname.replace(/\/$/, ""), wellKnown];
  for (const place of places) {
    const { status, text } = await call({ url: place, method: "GET", headers: {} });
    const metadata = status === 200 ? parseJson(text) : undefined;
    if (isObject(metadata) && typeof metadata.resource === "string") {
      const bindsToCertificates = metadata.tls_client_certificate_bound_access_tokens === true;
      return { audience: metadata.resource, scope, namesDpop, bindsToCertificates };
    }
  }
  return { audience: undefined, scope, namesDpop, bindsToCertificates: false };
}
