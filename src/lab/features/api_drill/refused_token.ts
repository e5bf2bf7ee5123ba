import { comparisonHint } from "../../../server/protocol/oauth_error.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import { readJwt } from "../../recording/credentials.ts";
import type { Exchange } from "../../recording/exchange.ts";
import { LabError } from "../../util/lab_error.ts";
import type { ApiResponse } from "./call_api.ts";

const jwtAdvice =
  "It takes the same token with the type 'JWT': give the lab a resource with this " +
  'audience, "resources": [{ "uri": …, "accessTokenType": "JWT" }].';

/** Returns the error for an API that refuses a valid token: what that was, and what to check. */
export function refusedTokenError(refused: {
  lab: CoreLab;
  url: string;
  user: string;
  scope: readonly string[];
  audience: string | undefined;
  token: string;
  response: ApiResponse | undefined;
  /** The newest exchange of the lab before the API was called with a token. */
  before: number;
  /** Whether it takes the same token with the type JWT. */
  takesJwt: boolean;
}): LabError {
  const { lab, url, user, scope, audience, token, before, takesJwt } = refused;
  const { status, problem } = refused.response ?? {};
  const came = status === 0
    ? `closes the connection (${problem})`
    : `responds with status ${status}`;
  const { header, claims } = readJwt(token) ?? { header: {}, claims: {} };
  const { typ } = header as { typ?: unknown };
  const meant = [claims.aud ?? audience ?? lab.context.settings.defaultResource].flat().join(" ");
  const granted = scope.length > 0 ? `the scope '${scope.join(" ")}'` : "its client's usual scope";
  const type = typ === undefined ? "" : ` and the type '${typ}'`;
  return new LabError(
    `${url} ${came} to a valid token, so a drill would prove nothing. The token was for the ` +
      `audience '${meant}', from the issuer '${lab.issuer}', for '${user}', with ` +
      `${granted}${type}. ` +
      (takesJwt ? jwtAdvice : introspectionAdvice(lab, before) ?? whatToCheck(url, status)),
  );
}

/** Returns why introspection showed the API no active token, if the API asked for it. */
function introspectionAdvice(lab: CoreLab, before: number): string | undefined {
  const isOfApi = ({ id, request: { endpoint } }: Exchange) =>
    id > before && endpoint === "introspect";
  const broken = lab.exchanges().findLast(isOfApi)?.rules.find(({ passed }) => !passed);
  if (!broken) return undefined;
  const { rule: { fix }, received, expected } = broken;
  return [
    "Introspection showed the API no active token.",
    comparisonHint({ received, expected }),
    fix,
    'A client with "introspect": "any" may ask about every token.',
  ].filter(Boolean).join(" ");
}

function whatToCheck(url: string, status: number | undefined): string {
  if (status === 404) {
    return `Check the path '${new URL(url).pathname}', or name a user who may read it.`;
  }
  if (status === 405) return "Name the method that the API expects.";
  if (status !== undefined && status >= 500) return "Look for the error in the log of the API.";
  return "Name the audience, scope or user that the API expects, and check that it trusts this " +
    "issuer and takes this type.";
}
