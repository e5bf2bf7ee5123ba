import { publicPasswords } from "../../src/lab/sign_in/one_click.ts";
import { makeTestKey } from "../../src/lab/tokens/test_keys.ts";
import { createSeededBytes } from "../../src/lab/util/seeded_bytes.ts";
import { type Config, createFullServer } from "../../src/server/features.ts";
import { cibaGrantType, deviceCodeGrantType } from "../../src/server/protocol/grant_types.ts";
import type { InternalServer } from "../../src/server/server.ts";
import type { Store } from "../../src/server/store/store.ts";

export const issuer = "https://hallpass.test";

/** The grants of the servers and their clients. */
export const grantTypes: readonly string[] = [
  "authorization_code",
  "refresh_token",
  deviceCodeGrantType,
  cibaGrantType,
];

export const initialAccessToken = "an-initial-access-token-of-32-characters";

/** A clock that only the model moves, in milliseconds. */
export interface ModelClock {
  now: number;
}

/** How the servers of a schedule are configured. */
export interface ModelSettings {
  /** Whether a refresh token may be used again for a short time. */
  grace: boolean;
  /** Whether access tokens are JWTs, which keys can end. */
  jwt: boolean;
}

/** One process of the server: it shares nothing but the store with the others. */
export interface ServerNode {
  server: InternalServer;
  /** Sends a request, and returns the response with its body as text. */
  send(path: string, init?: RequestInit): Promise<NodeResponse>;
}

/** A response that was read to its end. */
export interface NodeResponse {
  status: number;
  location: string | undefined;
  /** The cookies that it sets, as a browser sends them back. */
  cookies: string;
  text: string;
  /** The body as JSON; without members if it is something else. */
  body: Record<string, string | undefined>;
}

/** Creates a server. The same seed yields the same secrets. */
export function createNode(
  store: Store,
  clock: ModelClock,
  { grace }: ModelSettings,
  seed: string,
): ServerNode {
  const bytes = createSeededBytes(seed);
  const config: Config = {
    issuer,
    store,
    now: () => clock.now,
    randomBytes: (count) => bytes.next(count),
    scopes: { openid: "Know who you are", read: "Read your things", offline_access: "Keep access" },
    grantTypes: [...grantTypes],
    registration: { initialAccessToken },
    policies: { passwords: publicPasswords, makeKey: makeTestKey },
    alg: "ES256",
    idTokenAlgs: ["ES256"],
    refreshReuseGrace: grace ? "10s" : 0,
  };
  const server = createFullServer(config);
  return {
    server,
    send: async (path, init) =>
      await readResponse(await server.fetch(new Request(new URL(path, issuer), init))),
  };
}

async function readResponse(response: Response): Promise<NodeResponse> {
  const text = await response.text();
  return {
    status: response.status,
    location: response.headers.get("Location") ?? undefined,
    cookies: response.headers.getSetCookie().map((cookie) => cookie.split(";")[0]).join("; "),
    text,
    body: JSON.parse(text.startsWith("{") ? text : "{}"),
  };
}
