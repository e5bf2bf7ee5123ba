import type { Lab } from "../../src/lab/lab.ts";
import { encode, type Fields } from "./flow_kit.ts";

/** A browser that looks at the pages of a lab: it keeps cookies and follows no redirects. */
export interface LabTab {
  /** The token of the forms of the page that was opened first. */
  formToken: string;
  cookies: Map<string, string>;
  /** Every `Set-Cookie` header that came. */
  received: string[];
  get(path: string, options?: TabOptions): Promise<Response>;
  /** Opens a page and returns its HTML, without the places where a line may break. */
  html(path: string): Promise<string>;
  /** Sends a form with its token, as a browser does. */
  post(path: string, fields: Fields, options?: TabOptions): Promise<Response>;
}

/** What a request has that is not usual. */
export interface TabOptions {
  /** Where the request goes. */
  origin?: string;
  headers?: Record<string, string>;
}

/** Opens a page of a lab in a new browser. */
export async function openTab(
  lab: Pick<Lab, "issuer" | "fetch">,
  change: (request: Request) => Request = (request) => request,
  fetch: Lab["fetch"] = (request) => lab.fetch(request),
): Promise<LabTab> {
  const { origin: home, pathname } = new URL(lab.issuer);
  const base = pathname === "/" ? "" : pathname;
  const cookies = new Map<string, string>();
  const received: string[] = [];

  async function send(path: string, init: RequestInit, options: TabOptions): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { Accept: "text/html,*/*;q=0.8", Cookie: cookie, ...options.headers };
    const request = new Request(`${options.origin ?? home}${path}`, {
      ...init,
      headers: { ...init.headers as Record<string, string>, ...headers },
    });
    const response = await fetch(change(request));
    for (const setCookie of response.headers.getSetCookie()) {
      received.push(setCookie);
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(setCookie) ?? [];
      cookies.set(name, value);
    }
    return response;
  }

  const tab: LabTab = {
    formToken: "",
    cookies,
    received,
    get: (path, options = {}) => send(path, {}, options),
    html: async (path) => (await (await tab.get(path)).text()).replaceAll("<wbr/>", ""),
    post: (path, fields, options = {}) =>
      send(path, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: encode({ form_token: tab.formToken, ...fields }).toString(),
      }, options),
  };
  const first = await tab.html(`${base}/lab/report`);
  tab.formToken = /name="form_token" value="([^"]+)"/.exec(first)?.[1] ?? "";
  return tab;
}
