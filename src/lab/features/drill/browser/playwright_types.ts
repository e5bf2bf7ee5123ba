import type { PlaywrightRequest, PlaywrightRoute } from "../../../browser/playwright.ts";

/** What a drill uses of a browser of Playwright: `chromium.launch()` returns one. */
export interface PlaywrightBrowser {
  /** Opens a browser that shares nothing with others. */
  newContext(options: PlaywrightContextOptions): Promise<PlaywrightContext>;
}

/** What a drill sets for each context. */
export interface PlaywrightContextOptions {
  /** Cookies and storage to begin with. */
  storageState?: PlaywrightState;
  /** Requests of service workers would pass no route. */
  serviceWorkers: "block";
  /** The proxy for all but some hosts. */
  proxy: { server: string; bypass: string };
}

/** What a drill uses of a context of Playwright. */
export interface PlaywrightContext {
  /** Opens a tab. */
  newPage(): Promise<PlaywrightPage>;
  /** Calls back for each request whose URL fits. */
  route(
    fits: (url: URL) => boolean,
    handle: (route: PassingRoute) => Promise<void>,
  ): Promise<unknown>;
  /** Calls back when a request begins or ends. */
  on(
    event: "request" | "requestfinished" | "requestfailed",
    listener: (request: PlaywrightTabRequest) => void,
  ): unknown;
  /** Returns cookies and storage. */
  storageState(options: { indexedDB: boolean }): Promise<PlaywrightState>;
  /** Closes its tabs. */
  close(): Promise<void>;
}

/** What a drill uses of a route. */
export interface PassingRoute extends PlaywrightRoute {
  /** Returns the request of the tab. */
  request(): PlaywrightTabRequest;
  /** Lets the request pass to the network. */
  continue(): Promise<void>;
  /** Fails the request; "aborted" leaves the page where it is. */
  abort(reason?: "aborted"): Promise<void>;
}

/** What a drill uses of a tab of Playwright. */
export interface PlaywrightPage {
  /** Opens a URL, and waits until its document is there. */
  goto(url: string, options: { waitUntil: "commit"; timeout: number }): Promise<unknown>;
  /** Returns the URL of its document. */
  url(): string;
  /** Runs an expression in its document. */
  evaluate(expression: string): Promise<unknown>;
  /** Returns its frame. */
  mainFrame(): object;
}

/** What a drill uses of a request of a tab. */
export interface PlaywrightTabRequest extends PlaywrightRequest {
  /** Returns the frame that sends it. */
  frame(): object;
  /** Returns what it is for, such as a document or an event source. */
  resourceType(): string;
}

/** Cookies and storage of a context. */
export interface PlaywrightState {
  /** The cookies. */
  cookies: PlaywrightCookie[];
  /** Local storage and databases, by origin. */
  origins: PlaywrightOrigin[];
}

/** The local storage of an origin. */
export interface PlaywrightOrigin {
  /** The origin. */
  origin: string;
  /** Its local storage. */
  localStorage: Array<{ name: string; value: string }>;
}

/** A cookie of a context. */
export interface PlaywrightCookie {
  /** The name. */
  name: string;
  /** The value. */
  value: string;
  /** The host, or a domain that begins with a dot. */
  domain: string;
  /** The path. */
  path: string;
  /** When it expires, in seconds; -1 with the session. */
  expires: number;
  /** Whether scripts cannot read it. */
  httpOnly: boolean;
  /** Whether it needs TLS. */
  secure: boolean;
  /** Whether other sites may send it. */
  sameSite: "Strict" | "Lax" | "None";
}
