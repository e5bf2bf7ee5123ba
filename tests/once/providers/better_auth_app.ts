import { assertEquals } from "@std/assert";
import { betterAuth, type BetterAuthOptions } from "better-auth";
import { memoryAdapter } from "better-auth/adapters/memory";
import { fieldsOf } from "../../support/apple_login.ts";
import { app, AppBrowser, type Submission } from "./app_browser.ts";

/** What the pages of the application see after a sign-in. */
export interface BetterAuthSession {
  user: { name: string; email: string; emailVerified: boolean };
  account: { id: string; accountId: string };
}

/** An application that uses better-auth with one provider, and its browser. */
export class BetterAuthApp {
  /** What the library logged: its pages show users no more than a code. */
  readonly errors: string[] = [];
  readonly #id: string;
  readonly #browser: AppBrowser;

  constructor(id: string, providers: Pick<BetterAuthOptions, "socialProviders" | "plugins">) {
    this.#id = id;
    const auth = betterAuth({
      baseURL: app,
      secret: "a-secret-of-32-characters-or-more",
      database: memoryAdapter({ user: [], session: [], account: [], verification: [] }),
      logger: { level: "warn", log: (_level, message) => this.errors.push(message) },
      telemetry: { enabled: false },
      ...providers,
    });
    this.#browser = new AppBrowser((request) => auth.handler(request));
  }

  /** Calls an operation of the library, and returns what it responds with. */
  async call(operation: string, submission?: Submission) {
    return await (await this.#browser.send(`/api/auth/${operation}`, submission)).json();
  }

  /** Presses the button of the provider, and returns the URL to which the library leads. */
  async start(): Promise<string> {
    const pages = { callbackURL: "/home", errorCallbackURL: "/wrong" };
    return (await this.call("sign-in/social", { provider: this.#id, ...pages })).url;
  }

  /** Follows that URL, and returns the callback to which the provider leads. */
  async ask(url: string): Promise<URL> {
    const response = await fetch(url, { redirect: "manual" });
    return new URL(response.headers.get("Location") ?? await this.#submit(response));
  }

  /** Submits the form of a provider, which the library turns into a callback with a query. */
  async #submit(response: Response): Promise<string> {
    const form = new URLSearchParams(await fieldsOf(response));
    const redirect = await this.#browser.send(`/api/auth/callback/${this.#id}`, form);
    return redirect.headers.get("Location") ?? "about:blank";
  }

  /** Opens the callback, and returns the page to which it leads. */
  async finish(callback: URL): Promise<string | null> {
    return (await this.#browser.send(String(callback))).headers.get("Location");
  }

  /** Signs in, and returns what the pages of the application then see. */
  async signIn(): Promise<BetterAuthSession> {
    const page = await this.finish(await this.ask(await this.start()));
    assertEquals([this.errors, page], [[], "/home"]);
    return await this.session();
  }

  /** Returns who has signed in. */
  async session(): Promise<BetterAuthSession> {
    const { user } = await this.call("get-session");
    const [account] = await this.call("list-accounts");
    return { user, account };
  }
}
