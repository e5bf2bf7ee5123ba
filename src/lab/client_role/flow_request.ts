import { type FlowOptions, type Parameter, withParameters } from "./flow_options.ts";

/** The values of a request that are new each time. */
export interface FlowSecrets {
  state: string;
  nonce: string;
  codeVerifier: string;
  codeChallenge: string;
  /** The thumbprint of the key that the code is bound to. */
  dpopThumbprint: string;
}

/**
 * Returns the parameters of an authorization request, as a careful client sends them: with state,
 * nonce and PKCE, unless it makes a mistake on purpose.
 */
export function flowParameters(
  options: FlowOptions,
  redirectUri: string,
  secrets: FlowSecrets,
): Parameter[] {
  const { clientId, user, scopes, prompt, maxAge, usesDpop, own } = options;
  const makes = (mistake: string) => options.mistakes.includes(mistake);
  const mode = responseModeOf(options);
  const method = makes("plain") ? "plain" : "S256";
  const challenge = makes("plain") ? secrets.codeVerifier : secrets.codeChallenge;
  const parameters: Array<readonly [name: string, value: string | undefined]> = [
    ["response_type", "code"],
    ["client_id", clientId],
    ["redirect_uri", makes("redirect_uri") ? `${redirectUri}/wrong` : redirectUri],
    ["scope", scopes.join(" ") || undefined],
    ["state", secrets.state],
    // For a confidential client, the nonce would replace the challenge.
    ["nonce", makes("pkce") ? undefined : secrets.nonce],
    ["code_challenge", makes("pkce") ? undefined : challenge],
    ["code_challenge_method", makes("pkce") ? undefined : method],
    ["response_mode", mode],
    // A user who is signed in already would take the place of the chosen one.
    ["prompt", prompt ?? (user && "login")],
    ["max_age", maxAge],
    ["login_hint", user],
    ["dpop_jkt", usesDpop ? secrets.dpopThumbprint : undefined],
  ];
  const sent = parameters.flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const]
  );
  return withParameters(sent, own.parameters);
}

/** The default mode is not sent (OAuth 2.0 Multiple Response Types, section 2.1). */
function responseModeOf({ responseMode, usesJarm }: FlowOptions): string | undefined {
  if (usesJarm) return responseMode === "query" ? "jwt" : `${responseMode}.jwt`;
  return responseMode === "query" ? undefined : responseMode;
}
