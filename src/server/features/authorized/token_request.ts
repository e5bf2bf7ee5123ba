/** What a client with a key sends to authenticate and to bind its tokens. */
export interface ClientProofs {
  /** A client assertion (RFC 7523). */
  clientAssertion: string;
  /** A DPoP proof (RFC 9449). */
  dpopProof: string;
}

/** The values of a printed token request. A placeholder replaces each one that is unknown. */
export interface TokenRequestProps {
  /** An absolute URL. */
  tokenEndpoint: string;
  /** The authorization code, or an empty string. */
  code: string;
  /** Known only for a flow that this server started, in the browser that it was started for. */
  clientId?: string | undefined;
  /** The secret of the client, where it may be shown. */
  clientSecret?: string | undefined;
  /** The redirect URI of the request. */
  redirectUri?: string | undefined;
  /** The PKCE verifier of the request. */
  codeVerifier?: string | undefined;
  /** How the client authenticates, if that is known. */
  authentication?: "none" | "secret" | "key" | undefined;
  /** A client assertion and a DPoP proof for a client that has a key. */
  proofs?: ClientProofs | undefined;
  /** A DPoP proof for a flow that is bound to a key. */
  dpopProof?: string | undefined;
}

type FormMember = readonly [name: string, value: string];

/** Returns the `curl` command of a client without a secret, which sends its id in the body. */
export function publicTokenRequest(props: TokenRequestProps): string {
  const clientId = props.authentication === "none" ? props.clientId : undefined;
  const members = [...commonMembers(props), ["client_id", clientId ?? "<CLIENT_ID>"] as const];
  return curl(props.tokenEndpoint, proofOptions(props), members);
}

/** Returns the `curl` command of a client with a secret, which authenticates with HTTP Basic. */
export function confidentialTokenRequest(props: TokenRequestProps): string {
  const { clientId, clientSecret, authentication } = props;
  const id = clientId && authentication === "secret" ? encode(clientId) : "<CLIENT_ID>";
  const user = `${id}:${clientSecret ? encode(clientSecret) : "<CLIENT_SECRET>"}`;
  const options = [`-u ${quote(user)}`, ...proofOptions(props)];
  return curl(props.tokenEndpoint, options, commonMembers(props));
}

function proofOptions({ dpopProof }: TokenRequestProps): string[] {
  return dpopProof === undefined ? [] : [`-H ${quote(`DPoP: ${dpopProof}`)}`];
}

/**
 * Returns the `curl` command of a client with a key: an assertion (RFC 7523) and a DPoP proof (RFC
 * 9449).
 */
export function keyTokenRequest(props: TokenRequestProps): string {
  const { clientAssertion = "<CLIENT_ASSERTION>", dpopProof = props.dpopProof } = props.proofs ??
    {};
  return curl(props.tokenEndpoint, proofOptions({ ...props, dpopProof }), [
    ...commonMembers(props),
    ["client_assertion_type", "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"],
    ["client_assertion", clientAssertion],
  ]);
}

function commonMembers({ code, redirectUri, codeVerifier }: TokenRequestProps): FormMember[] {
  return [
    ["grant_type", "authorization_code"],
    ["code", code],
    ["redirect_uri", redirectUri ?? "<REDIRECT_URI>"],
    ["code_verifier", codeVerifier ?? "<CODE_VERIFIER>"],
  ];
}

function curl(url: string, options: string[], members: readonly FormMember[]): string {
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

/** Percent-encodes what a shell, a form or a terminal could misread. */
function encode(value: string): string {
  return encodeURIComponent(value.toWellFormed())
    .replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll("%3A", ":")
    .replaceAll("%2F", "/");
}

/** A shell takes everything in single quotes literally, except a single quote. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
