const endpointFails =
  "It is about an endpoint that fails, and no rule says whether a login survives that.";

/** Why a drill does not try some faults of the catalogue, by patterns of their names. */
const reasons: ReadonlyArray<readonly [faults: RegExp, reason: string]> = [
  [
    /\.(server_error|unavailable|too_many_requests|slow|never|dropped|html|redirect|response)$/,
    endpointFails,
  ],
  [/\.(changed|claims)$/, "It changes what a test asks for, and breaks no rule by itself."],
  [
    /^(?!token).*\.malformed_json$/,
    endpointFails,
  ],
  [
    /^(token\.invalid_grant|(token|refresh)\.(invalid_client|temporarily_unavailable))$/,
    "Without tokens, there is no login that an application could accept.",
  ],
  [
    /^(token\.without_(token_type|access_token)|id_token\.without_iat)$/,
    "The specifications require it of the server, and have no step for clients that checks it.",
  ],
  [
    /^(refresh\.old_token_sent|(refresh|token)\.less_scope)$/,
    "What an application does with less access, or without a refresh token, is its own decision.",
  ],
  [
    /^access_token\./,
    "An access token is opaque to an application: the API that gets it has to check it.",
  ],
  [
    /^(introspect|revoke|register(?!\.forgotten)|par|device|ciba|ping|azure|google|github|kubernetes)\./,
    "It is about requests that are no part of a login.",
  ],
  [
    /^metadata\.(without_pkce|not_found|wrong_content_type)$/,
    "An application may be configured without metadata, or may ignore what is wrong with it.",
  ],
  [
    /^jwks\.(empty|rotated|new_key)$/,
    "An application may keep the keys for a while, and may limit how often it fetches them.",
  ],
  [
    /^(mcp|resource_metadata|id_jag)\.|^metadata\.(only_\w+|without_documents)$/,
    "It is about clients of the Model Context Protocol: lab.drillMcp tries some of these.",
  ],
  [
    /^(id_token|userinfo|jarm)\.(\w*encrypt\w*|compressed)$/,
    "It is about a client that gets this encrypted, and the lab has none.",
  ],
  [/^callback\.duplicate$/, "It needs a browser that opens pages, and that of a drill does not."],
];

/** Returns why a drill does not try a fault, or undefined if it does. */
export function leftOutReason(fault: string): string | undefined {
  return reasons.find(([faults]) => faults.test(fault))?.[1];
}
