import type { VNode } from "preact";
import type { IncomingRequest } from "../../../server/http/incoming_request.ts";
import { redirectResponse } from "../../../server/http/response.ts";
import type { HeaderList, ResponseData } from "../../../server/http/response_data.ts";
import type { RequestContext } from "../../../server/issuer/context.ts";
import type { LabToken } from "../../control/lab_access.ts";
import type { CoreLab } from "../../core/core_lab.ts";
import type { MakeCommand } from "../../flows/curl.ts";
import { callbackPaths } from "../../lab_server/started_flow.ts";
import type { Exchange } from "../../recording/exchange.ts";
import type { FixPlace, OfferedFix } from "../parts/fix.tsx";
import type { FormOrigin } from "../parts/form.tsx";
import type { LabBrowser } from "./page_guard.ts";

/** What a header can have: visible ASCII, but the backslash, which browsers read as a slash. */
const plainUrl = /^[!-[\]-~]+$/;

/** How the paths of pages begin that a form may return to. */
const ownPages: readonly string[] = ["/lab/", "/?", ...callbackPaths.map((path) => `${path}?`)];

/** How a page of the lab, or a form of one, is reached and made. */
export interface LabPageRoute<Members extends object = object> {
  method: "GET" | "POST";
  /**
   * The path below `/lab`; one segment may be open: "/flows/:id". A path may also be that of a JSON
   * operation with GET: browsers get the page, programs get JSON. Forms have paths of their own.
   */
  path: string;
  /**
   * Whether it is there without the lab's token, too: it shows nothing of the lab besides what a
   * user of its clients can do, and changes no setting.
   */
  isPublic?: boolean;
  /** Whether it takes forms of any page, because it changes nothing: a callback by `form_post`. */
  takesAnyForm?: boolean;
  /** Whether pages load it, and no operation has its path: what operations do stays away. */
  isPartOfPages?: boolean;
  /**
   * Makes the page, or another response. A form responds with `seePage`.
   *
   * @throws {LabError} The request cannot be fulfilled; the browser gets a page that says why.
   */
  readonly handle: (
    lab: CoreLab & Members,
    call: LabPageCall,
  ) => LabPage | ResponseData | Promise<LabPage | ResponseData>;
}

/** A page of the lab; the frame is put around it. */
export interface LabPage {
  title: string;
  /** The entry of the top bar that the page belongs to. */
  area?: string;
  /**
   * Whether the page follows the lab: its elements with an `id` and `data-live` are replaced when
   * something happens.
   */
  isLive?: boolean;
  /** A style sheet that only pages of its area need. */
  style?: "flows.css" | "report.css" | "front.css";
  /** A script that only pages of its area need. */
  script?: "front.js";
  /** The status. The default is 200. */
  status?: number;
  headers?: HeaderList;
  content: VNode;
}

/** An entry of the top bar, with how much there is to see. */
export interface ShownArea {
  name: string;
  label: string;
  count?: number | undefined;
}

/** A place of a page where features can add something: a link to a page of theirs. */
export type AdditionPlace =
  | "every page"
  | "an application to connect"
  | "what clients need"
  | "what faults are for"
  | "an option of a drill"
  | "actions on the drill"
  | "the name of a drill"
  | "the verdict on a drill"
  | "actions on the report"
  | "actions on setup"
  | "a client without findings"
  | EntryKind;

/** The entries of a lab that each have a page. */
export type EntryKind = "client" | "user";

/**
 * Returns what a feature adds. `name` is that of the client or the user whom the page is about, of
 * the option that is chosen, the number of the drill, or the path that a form returns to.
 */
export type PageAddition = (
  base: string,
  name: string,
  lab: CoreLab,
  page: FormOrigin,
) => VNode | undefined;

export interface LabPageCall extends FormOrigin {
  request: IncomingRequest;
  /** What the server works with for this request. */
  ctx: RequestContext;
  /** The home page, which is on another port if the interface has a separate one. */
  homeUrl: string;
  /** The path and query of the page, where forms such as that of the clock return to. */
  here: string;
  /** The value of the open segment of the path. */
  segment: string;
  query: URLSearchParams;
  /** The fields of the form; empty for GET. */
  form: URLSearchParams;
  /** Returns what features add at a place of the page. */
  additions(at: AdditionPlace, name?: string): VNode[];
  /** Returns what features can do about the last refused request of some. */
  offerFix(exchanges: readonly Exchange[], place?: Partial<FixPlace>): OfferedFix | undefined;
  /** Returns the sections of the home page that features add. */
  homeSections(): Promise<Array<VNode | undefined>>;
  /** The commands that features know for clients. */
  clientCommands: readonly MakeCommand[];
  /** Returns the entries of the top bar, with counts or without. */
  areas(hasCounts: boolean): ShownArea[];
  /** The browser that the page is made for. */
  browser: LabBrowser;
  /** The token that guards the lab, if it has one. */
  token: LabToken | undefined;
  /** Whether the other pages of the lab are on a port of their own. */
  isAlone: boolean;
  /** Whether the browser, or the request, has the token that guards the lab. */
  mayEnter(): Promise<boolean>;
}

/**
 * Whether a front page may show what belongs to the other pages of the lab. A sender who has guessed
 * the token too often may not, and still gets a page that says so.
 */
export async function maySeeLab({ isAlone, mayEnter }: LabPageCall): Promise<boolean> {
  return !isAlone && await mayEnter().catch(() => false);
}

/** Sends the browser from a form to a page of the lab, by its path below `/lab`. */
export function seePage({ base }: LabPageCall, path: string): ResponseData {
  return redirectResponse(`${base}/lab${path}`);
}

/** Sends the browser from a form back to the page that it was on, which the form names. */
export function seePreviousPage({ base, form, homeUrl }: LabPageCall): ResponseData {
  const back = form.get("back") ?? "";
  // Only our own pages: a form must not send the user to another site.
  const isOwn = ownPages.some((path) => back.startsWith(base + path)) && plainUrl.test(back);
  return redirectResponse(isOwn ? back : homeUrl);
}
