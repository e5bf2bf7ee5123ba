import { Auth, type AuthConfig } from "@auth/core";
import { assertEquals } from "@std/assert";
import { fieldsOf } from "../../support/apple_login.ts";

/** The origin of the application. */
export const app = "https://app.example";

/** A provider, as the modules of Auth.js make them. */
export type AuthjsProvider = AuthConfig["providers"][number];

/** What the pages of the application see after a sign-in. */
export interface AuthjsSession {
  user: { name?: string; email?: string };
  account: { providerAccountId: string };
}

/** An application that uses Auth.js with one provider, and the cookies of its browser. */
export class AuthjsApp {
  /** What the library logged: its pages show users no more than `error=Configuration`. */
  readonly errors: unknown[] = [];
  readonly #id: string;
  readonly #config: AuthConfig;
  readonly #cookies = new Map<string, string>();

  constructor(id: string, provider: AuthjsProvider) {
    this.#id = id;
    this.#config = {
      providers: [provider],
      secret: "a-secret-of-32-characters-or-more",
      basePath: "/auth",
      trustHost: true,
      logger: { error: (error) => this.errors.push(reasonOf(error)), warn() {}, debug() {} },
      callbacks: {
        jwt: ({ token, account }) => ({ ...token, ...account && { account } }),
        session: ({ session, token }) => ({ ...session, account: token.account }),
      },
    };
  }

  async #send(path: string, form?: Record<string, string>): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const init = form && { method: "POST", body: new URLSearchParams(form) };
    const request = new Request(new URL(path, app), { headers: { cookie }, ...init });
    const response = await Auth(request, this.#config);
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }

  /** Presses the button of the provider, and returns the URL to which the library leads. */
  async start(): Promise<string> {
    const { csrfToken } = await (await this.#send("/auth/csrf")).json();
    const response = await this.#send(`/auth/signin/${this.#id}`, { csrfToken, callbackUrl: app });
    return response.headers.get("Location") ?? "";
  }

  /** Follows that URL, and brings the response of the provider back, by a redirect or a form. */
  async finish(url: string): Promise<Response> {
    const response = await fetch(url, { redirect: "manual" });
    const location = response.headers.get("Location");
    if (location !== null) return await this.#send(location);
    return await this.#send(`/auth/callback/${this.#id}`, await fieldsOf(response));
  }

  /** Signs in, and returns the session. */
  async signIn(): Promise<AuthjsSession> {
    const response = await this.finish(await this.start());
    assertEquals([this.errors, response.headers.get("Location")], [[], app]);
    return await (await this.#send("/auth/session")).json();
  }
}

/** The error that a library's error wraps. */
function reasonOf(error: Error): unknown {
  return (error.cause as { err?: Error } | undefined)?.err ?? error;
}
