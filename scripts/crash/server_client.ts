import { shortHash } from "../../src/server/util/crypto/hash.ts";
import { createBrowser } from "../../tests/support/browser.ts";
import { basic, challenge, encode, type Fields, verifier } from "../../tests/support/kit.ts";
import { present } from "../../tests/support/present.ts";

const client = { id: "app", secret: "a-client-secret-of-32-characters" };
const redirectUri = "https://app.example/callback";
const user = { name: "alice", password: "wonderland" };

/** The configuration of the server that is killed. Access tokens are rows, too. */
export function crashConfig(store: string): object {
  const redirectUris = [redirectUri];
  return {
    port: 0,
    store,
    alg: "EdDSA",
    registration: "open",
    registrationsPerMinute: 100_000,
    storedBytesPerMinute: 1_000_000_000,
    clients: [{ ...client, redirectUris, accessTokenFormat: "opaque", introspect: "any" }],
    users: [user],
  };
}

/** A response that was read to its end. */
export interface CrashResponse {
  status: number;
  body: Record<string, string>;
}

/** An application and a browser of its user, at one start of the server. */
export interface ServerClient {
  /** Returns a code, if the server sends one. The first call signs in. */
  authorize(): Promise<string | undefined>;
  redeem(code: string): Promise<CrashResponse>;
  refresh(token: string): Promise<CrashResponse>;
  revoke(token: string): Promise<CrashResponse>;
  isActive(token: string): Promise<boolean>;
  register(): Promise<CrashResponse>;
  /** Returns the status of reading a registration. */
  readRegistration(url: string, token: string): Promise<number>;
  /** Returns the algorithms of the published keys with their ids. */
  keys(): Promise<string[]>;
}

/** Creates a client. The cookies are those of earlier starts, so that the session goes on. */
export function createServerClient(issuer: string, cookies: Map<string, string>): ServerClient {
  const post = async (path: string, fields: Fields) =>
    await readJson(
      await fetch(`${issuer}${path}`, {
        method: "POST",
        headers: basic(client.id, client.secret),
        body: encode(fields),
      }),
    );
  return {
    authorize: async () => await authorize(issuer, cookies),
    redeem: (code) =>
      post("/oauth2/token", {
        grant_type: "authorization_code",
        code,
        redirect_uri: redirectUri,
        code_verifier: verifier,
      }),
    refresh: (refresh_token) =>
      post("/oauth2/token", { grant_type: "refresh_token", refresh_token }),
    revoke: (token) => post("/oauth2/revoke", { token }),
    isActive: async (token) =>
      `${(await post("/oauth2/introspect", { token })).body.active}` === "true",
    register: async () =>
      await readJson(
        await fetch(`${issuer}/oauth2/register`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify({ redirect_uris: [redirectUri] }),
        }),
      ),
    async readRegistration(url, token) {
      // The path alone: the port is another one after each start.
      const address = issuer + new URL(url).pathname;
      const headers = { Authorization: `Bearer ${token}` };
      return (await readJson(await fetch(address, { headers }))).status;
    },
    async keys() {
      const { keys } = await (await fetch(`${issuer}/oauth2/jwks`)).json();
      return keys.map(({ alg, kid }: { alg: string; kid: string }) => `${alg} ${kid}`);
    },
  };
}

async function authorize(
  issuer: string,
  cookies: Map<string, string>,
): Promise<string | undefined> {
  const browser = createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(issuer),
  );
  // Each start has its own port and thus its own issuer, whose hash is part of the names.
  for (const [name, value] of cookies) {
    browser.cookies.set(name.replace(/^hallpass-[^-]+/, `hallpass-${shortHash(issuer)}`), value);
  }
  const query = encode({
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    scope: "openid offline_access",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const url = `${issuer}/oauth2/authorize?${query}`;
  if (cookies.size === 0) {
    const callback = await browser.authorize(url, { user: user.name, password: user.password });
    for (const [name, value] of browser.cookies) cookies.set(name, value);
    return present(new URL(callback).searchParams.get("code"));
  }
  const page = await browser.open(url);
  return URL.parse(page.url)?.searchParams.get("code") ?? undefined;
}

async function readJson(response: Response): Promise<CrashResponse> {
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text.startsWith("{") ? text : "{}") };
}
