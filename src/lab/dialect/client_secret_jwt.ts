import type { AssertionProblem } from "../../server/issuer/server_hooks.ts";
import { clientAssertionType } from "../../server/protocol/client_assertion.ts";
import { jwtTimesProblem } from "../../server/protocol/jwt.ts";
import { readJwt } from "../recording/credentials.ts";
import type { ClientSecretJwt } from "./request_settings.ts";

/** What signs a client secret. */
const alg = "ES256";

const defaultLifetime = 3600;

/**
 * Returns parameters with the assertion that the server verifies, in place of a client secret that
 * is a JWT about the client. Any other secret stays, for the server to refuse.
 */
export function withAssertion(parameters: URLSearchParams): URLSearchParams {
  const secret = parameters.get("client_secret") ?? "";
  const jwt = readJwt(secret);
  const isAboutClient = jwt?.claims.sub === parameters.get("client_id");
  if (jwt?.header.alg !== alg || !isAboutClient) return parameters;
  const changed = new URLSearchParams(parameters);
  changed.delete("client_secret");
  changed.set("client_assertion_type", clientAssertionType);
  changed.set("client_assertion", secret);
  return changed;
}

/** Creates the check of the claims of such a secret: it may be used again until it expires. */
export function createSecretCheck(
  { audience, maxLifetime = defaultLifetime }: ClientSecretJwt,
): AssertionProblem {
  return (claims, now) => {
    const { iss, aud } = claims;
    if (typeof iss !== "string" || iss === "") return Promise.resolve("it has no 'iss'");
    if (![aud].flat().includes(audience)) {
      return Promise.resolve(`its 'aud' is not '${audience}'`);
    }
    return Promise.resolve(jwtTimesProblem(claims, now, { needsExp: true, maxLifetime }));
  };
}
