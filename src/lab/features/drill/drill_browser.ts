import type { AuthorizationResult } from "../../browser/authorization_result.ts";
import type { CookieChange, StoredCookie } from "../../browser/stored_cookies.ts";
import type { UserActions } from "../../browser/user_actions.ts";
import type { PageControl } from "./foreign_html.ts";

export type SentFields = ReadonlyArray<readonly [name: string, value: string]>;

/** A browser that a drill uses: without a screen, or a real one. */
export interface DrillBrowser {
  isLab(url: string): boolean;
  /** Opens a URL of the application, and follows where that leads, up to the lab. */
  open(url: string, from?: string): Promise<DrillPage>;
  /** Sends a form by POST. */
  send(url: string, fields: SentFields, from?: string): Promise<DrillPage>;
  /** Sends one request with its cookies and other headers, and follows nothing. */
  request(url: string, headers?: Readonly<Record<string, string>>): Promise<DrillPage>;
  /** Plays the user's part at the lab, up to the response that the application is to get. */
  authorize(url: string, actions: UserActions): Promise<AuthorizationResult>;
  /** Signs out of the lab. Returns where that leads. */
  signOut(url: string): Promise<string | undefined>;
  /**
   * Returns another browser with the cookies of this one as they are now, or with what a function
   * makes of them. At the lab, nobody is signed in there.
   */
  copy(change?: CookieChange): DrillBrowser;
  cookies(): Promise<StoredCookie[]>;
  /** Closes it, and the copies of it. */
  close(): Promise<void>;
}

/** Where a browser is, once nothing leads it on. */
export interface DrillPage {
  /** The URL of the last request. */
  url: string;
  /** The URLs on the way to the page, the first one first. */
  way: readonly string[];
  /** The URL of the lab to which the page leads. */
  labUrl?: string | undefined;
  /** The URL to which it leads, of an origin that the drill does not visit. */
  outsideUrl?: string | undefined;
  /** The status of the last response: it decides only where no page shows who is signed in. */
  status: number;
  /** The status of the first response, before redirects. */
  firstStatus: number;
  /** The headers of the last response. */
  headers: Headers;
  /** Whom its URL is told to, as far as the page limits that. */
  referrerPolicy?: string | undefined;
  /** Whether its policy keeps scripts in it from running. */
  stopsScripts: boolean;
  /** Whether scripts fill it, and this browser runs none. */
  lacksScripts: boolean;
  /** What can be pressed: links and buttons that lead to its own origin or to the lab. */
  controls(): DrillControl[];
  /** The words of the page in order, also of JSON. */
  words(): string[];
  /** These words, and where its links and buttons lead. */
  pieces(): ReadonlySet<string>;
  /** The URLs of its scripts, and those that scripts of its own origin name. */
  resources(): string[];
  shows(text: string): boolean;
  /** Whether it has a text as markup: an element, and not what a reader sees. */
  hasMarkup(text: string): boolean;
}

/** A link or button of a page. */
export interface DrillControl extends PageControl {
  press(): Promise<DrillPage>;
}
