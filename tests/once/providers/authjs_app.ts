import { Auth, type AuthConfig } from "@auth/core";
import { assertEquals } from "@std/assert";
import { fieldsOf } from "../../support/apple_login.ts";
import { app, AppBrowser } from "./app_browser.ts";

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
  readonly #browser: AppBrowser;

  constructor(id: string, provider: AuthjsProvider) {
    this.#id = id;
    const config: AuthConfig = {
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
    this.#browser = new AppBrowser((request) => Auth(request, config));
  }

  /** Presses the button of the provider, and returns the URL to which the library leads. */
  async start(): Promise<string> {
    const { csrfToken } = await (await this.#browser.send("/auth/csrf")).json();
    const form = new URLSearchParams({ csrfToken, callbackUrl: app });
    const response = await this.#browser.send(`/auth/signin/${this.#id}`, form);
    return response.headers.get("Location") ?? "";
  }

  /** Follows that URL, and brings the response of the provider back, by a redirect or a form. */
  async finish(url: string): Promise<Response> {
    const response = await fetch(url, { redirect: "manual" });
    const location = response.headers.get("Location");
    if (location !== null) return await this.#browser.send(location);
    const form = new URLSearchParams(await fieldsOf(response));
    return await this.#browser.send(`/auth/callback/${this.#id}`, form);
  }

  /** Signs in, and returns the session. */
  async signIn(): Promise<AuthjsSession> {
    const response = await this.finish(await this.start());
    assertEquals([this.errors, response.headers.get("Location")], [[], app]);
    return await (await this.#browser.send("/auth/session")).json();
  }
}

/** The error that a library's error wraps. */
function reasonOf(error: Error): unknown {
  return (error.cause as { err?: Error } | undefined)?.err ?? error;
}
