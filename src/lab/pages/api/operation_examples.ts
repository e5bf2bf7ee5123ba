import type { OperationDescription } from "../../core/operation.ts";

/** A value for the open segment of a path, by the beginning of the path. */
const segments: ReadonlyArray<readonly [path: string, segment: string]> = [
  ["/users/", "alice"],
  ["/clients/", "demo-spa"],
  ["/flows/", "flow-1"],
  ["/tenants/", "acme"],
];

const callbackUrl = "http://localhost:3000/callback";

/** The challenge of RFC 7636, appendix B. */
const codeChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** Bodies that work in a lab with the demo clients and users, by "METHOD path". */
const bodies: Readonly<Record<string, Record<string, unknown>>> = {
  "POST /tokens": { sub: "alice", scope: "openid profile" },
  "POST /codes": { user: "alice", client: "demo-spa", scope: "openid profile" },
  "POST /sign-in": { user: "alice" },
  "POST /sign-out": { url: "/oauth2/logout", browser: "hers" },
  "POST /clock": { advance: "5m" },
  "POST /settings": { lifetimes: { accessToken: "2m" } },
  "POST /tenants": { id: "acme" },
  "PUT /users/:name": { password: "secret", claims: { name: "Alice" } },
  "PUT /clients/:id": { redirectUris: [callbackUrl] },
};

/** Returns a path with a value in place of its open segment. */
export function examplePath({ path, example }: OperationDescription): string {
  const [, known = "1"] = segments.find(([start]) => path.startsWith(start)) ?? [];
  const { segment: value = known } = example ?? {};
  return path.replace(/:\w+/, value);
}

/** Returns a body for an operation; undefined if it needs none. */
export function exampleBody(
  { method, path, example }: OperationDescription,
  options: CommandOptions,
): Readonly<Record<string, unknown>> | undefined {
  if (path === "/authorize") return { url: authorizationUrl(options), user: "alice" };
  return example?.body ?? bodies[`${method} ${path}`];
}

/** Returns a request of the demo client whose redirect URI is a page of the lab. */
function authorizationUrl({ authorizationEndpoint, redirectUri }: CommandOptions): string {
  const query = new URLSearchParams({
    response_type: "code",
    client_id: "demo-spa",
    redirect_uri: redirectUri,
    scope: "openid profile",
    state: "a-state",
    code_challenge: codeChallenge,
    code_challenge_method: "S256",
  });
  return `${authorizationEndpoint}?${query}`;
}

/** What a `curl` command needs besides the operation. */
export interface CommandOptions {
  authorizationEndpoint: string;
  /** A redirect URI of the demo client. */
  redirectUri: string;
  /** The URL of the interface: "http://localhost:9000/lab". */
  url: string;
  /** Whether the lab has a token. */
  needsToken: boolean;
}

/** Returns the command that calls an operation. It works when it is pasted as it is. */
export function exampleCommand(operation: OperationDescription, options: CommandOptions): string {
  const { method } = operation;
  const body = exampleBody(operation, options);
  const parts = [
    `curl${method === "GET" ? "" : ` -X ${method}`} '${options.url}${examplePath(operation)}'`,
    options.needsToken && `-H "Authorization: Bearer $LAB_TOKEN"`,
    body && `-H 'Content-Type: application/json'`,
    body && `-d '${JSON.stringify(body)}'`,
  ];
  return parts.filter(Boolean).join(" \\\n  ");
}
