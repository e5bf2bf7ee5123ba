import type { FlowOptions } from "./flow_options.ts";

/** The values of a request that are new each time. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeChallenge: string;
  /** The thumbprint of the key that the code is bound to. */
  dpopThumbprint: string;
}

/** A parameter with its value. */
export type Parameter = readonly [name: string, value: string];

/**
 * Returns the parameters of an authorization request, as a careful client sends them: with state,
 * nonce and PKCE.
 */
export function flowParameters(
  options: FlowOptions,
  redirectUri: string,
  secrets: FlowSecrets,
): Parameter[] {
  const { clientId, user, scopes, prompt, maxAge, usesDpop } = options;
  const mode = responseModeOf(options);
  const parameters: Array<readonly [name: string, value: string | undefined]> = [
    ["response_type", "code"],
    ["client_id", clientId],
    ["redirect_uri", redirectUri],
    ["scope", scopes.join(" ") || undefined],
    ["state", secrets.state],
    ["nonce", secrets.nonce],
    ["code_challenge", secrets.codeChallenge],
    ["code_challenge_method", "S256"],
    ["response_mode", mode],
    ["prompt", prompt],
    ["max_age", maxAge],
    ["login_hint", user],
    ["dpop_jkt", usesDpop ? secrets.dpopThumbprint : undefined],
  ];
  return parameters.flatMap(([name, value]) => value === undefined ? [] : [[name, value] as const]);
}

/** The default mode is not sent (OAuth 2.0 Multiple Response Types, section 2.1). */
function responseModeOf({ responseMode, usesJarm }: FlowOptions): string | undefined {
  if (usesJarm) return responseMode === "query" ? "jwt" : `${responseMode}.jwt`;
  return responseMode === "query" ? undefined : responseMode;
}
