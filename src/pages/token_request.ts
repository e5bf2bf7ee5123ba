/** What a printed token request is filled with; what is not known stands there as a placeholder. */
export interface TokenRequestProps {
  tokenEndpoint: string;
  code: string;
  clientId?: string;
  clientSecret?: string;
  redirectUri?: string;
  codeVerifier?: string;
  /** What a client with a key sends along; for one that was asked here, it is ready. */
  proofs?: { clientAssertion: string; dpopProof: string };
}

/** The `curl` of a client that has no secret: it names itself in the body. */
export function publicTokenRequest(props: TokenRequestProps): string {
  const clientId = props.clientSecret ? undefined : props.clientId;
  return curl(props.tokenEndpoint, [], [...members(props), [
    "client_id",
    clientId ?? "<CLIENT_ID>",
  ]]);
}

/** The `curl` of a client that has one: it authenticates with HTTP Basic. */
export function confidentialTokenRequest(props: TokenRequestProps): string {
  const { clientId, clientSecret } = props;
  const user = clientId && clientSecret
    ? quote(`${encode(clientId)}:${encode(clientSecret)}`)
    : "<CLIENT_ID>:<CLIENT_SECRET>";
  return curl(props.tokenEndpoint, [`-u ${user}`], members(props));
}

/** The `curl` of a client that has a key: it sends an assertion (RFC 7523), and binds its tokens (RFC 9449). */
export function keyTokenRequest(props: TokenRequestProps): string {
  const { clientAssertion = "<CLIENT_ASSERTION>", dpopProof = "<DPOP_PROOF>" } = props.proofs ?? {};
  return curl(props.tokenEndpoint, [`-H ${quote(`DPoP: ${dpopProof}`)}`], [
    ...members(props),
    ["client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
    ["client_assertion", clientAssertion],
  ]);
}

function members({ code, redirectUri, codeVerifier }: TokenRequestProps): Array<[string, string]> {
  return [
    ["grant_type", "authorization_code"],
    ["code", code],
    ["redirect_uri", redirectUri ?? "<REDIRECT_URI>"],
    ["code_verifier", codeVerifier ?? "<CODE_VERIFIER>"],
  ];
}

function curl(url: string, options: string[], members: Array<[string, string]>): string {
  return [
    `curl -X POST ${quote(url)}`,
    ...options,
    `-H 'Content-Type: application/x-www-form-urlencoded'`,
    ...members.map(([name, value]) =>
      `-d ${quote(`${name}=${isPlaceholder(value) ? value : encode(value)}`)}`
    ),
  ].join(" \\\n  ");
}

function isPlaceholder(value: string): boolean {
  return /^<[A-Z_]+>$/.test(value);
}

/** Percent-encodes all that a shell, a form or a terminal could take for something else. */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/");
}

/** Between single quotes a shell reads everything as it stands; a single quote itself needs the way around. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
