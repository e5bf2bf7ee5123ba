/** The origin of an application. */
export const app = "https://app.example";

/** What a page submits: a form, or JSON. */
export type Submission = URLSearchParams | Record<string, unknown>;

/** A browser at an application in this process, with its cookies. */
export class AppBrowser {
  readonly #handle: (request: Request) => Promise<Response>;
  readonly #cookies = new Map<string, string>();

  constructor(handle: (request: Request) => Promise<Response>) {
    this.#handle = handle;
  }

  /** Opens a path of the application, or submits something to it, and follows no redirect. */
  async send(path: string, submission?: Submission): Promise<Response> {
    const cookie = [...this.#cookies].map((pair) => pair.join("=")).join("; ");
    const { headers, ...init } = submission ? submit(submission) : {};
    const response = await this.#handle(
      new Request(new URL(path, app), { headers: { cookie, origin: app, ...headers }, ...init }),
    );
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      this.#cookies.set(name, value);
    }
    return response;
  }
}

function submit(submission: Submission): { headers?: Record<string, string> } & RequestInit {
  if (submission instanceof URLSearchParams) return { method: "POST", body: submission };
  const headers = { "content-type": "application/json" };
  return { method: "POST", headers, body: JSON.stringify(submission) };
}
