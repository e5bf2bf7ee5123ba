import { ConfigError } from "../../server/config/problems.ts";
import { wantsPage } from "../../server/http/accept.ts";
import { type IncomingRequest, mediaType } from "../../server/http/incoming_request.ts";
import { jsonResponse } from "../../server/http/response.ts";
import {
  isResponseData,
  type ResponseData,
  withHeaders,
  withoutBody,
} from "../../server/http/response_data.ts";
import { createRouter, notFound } from "../../server/http/router.ts";
import type { RequestContext } from "../../server/issuer/context.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { errorBody, OAuthError, toOAuthError } from "../../server/protocol/oauth_error.ts";
import { once } from "../../server/util/time/promises.ts";
import { type ControlRequest, respondToControl } from "../control/control.ts";
import { hostProblem } from "../control/guard.ts";
import type { LabToken } from "../control/lab_access.ts";
import type { InterfacePlace } from "../core/core_lab.ts";
import { featureInterfaces } from "../feature_interfaces.ts";
import type { Lab } from "../lab.ts";
import { labPageResponse, problemPage } from "../pages/page/lab_frame.tsx";
import {
  type LabPage,
  type LabPageCall,
  type LabPageRoute,
  maySeeLab,
  seePage,
} from "../pages/page/lab_page.ts";
import {
  checkLabForm,
  hasEntered,
  type LabBrowser,
  labBrowserOf,
  labFormToken,
  pageAccessProblem,
} from "../pages/page/page_guard.ts";
import { pageAt } from "../pages/page/page_routes.ts";
import { formType } from "../recording/exchange.ts";
import { LabError } from "../util/lab_error.ts";
import { decodeSegment } from "../util/path_segment.ts";
import { findPage, shownAreas } from "./page_table.ts";
import { tokenDoor } from "./token_door.tsx";

const loadOperations = once(async () => {
  const { operations } = await import("./operation_table.ts");
  return { operations, findOperation: createRouter(operations) };
});

/** A request for the lab's interface over HTTP: its pages, and its operations in JSON. */
export interface LabRequest extends ControlRequest {
  /** Whether the interface has a separate port. */
  isApart: boolean;
  /** Where the requested page is. */
  place: InterfacePlace;
}

/** Responds to a request for the lab's interface over HTTP: with a page, or in JSON. */
export async function respondToLabRequest(lab: Lab, labRequest: LabRequest): Promise<ResponseData> {
  const found = await findRoute(labRequest.request, labRequest.path.slice("/lab".length));
  return found
    ? await handlePageRoute(lab, labRequest, found)
    : await respondToControl(lab, labRequest, await loadOperations());
}

/** Responds with a page, or the response of a form, if the request passes the guard. */
export async function handlePageRoute(
  lab: Lab,
  labRequest: LabRequest,
  found: FoundPage,
): Promise<ResponseData> {
  const { request, place: { addresses } } = labRequest;
  const problem = found.route.takesAnyForm
    ? hostProblem(request, addresses)
    : pageAccessProblem(request, addresses);
  if (problem) return jsonResponse(errorBody(new OAuthError("access_denied", problem)), 403);
  const response = await respond(lab, labRequest, found);
  return request.method === "HEAD" ? withoutBody(response) : response;
}

/** A route of the lab's pages, with the value of the open segment of its path. */
export interface FoundPage {
  route: LabPageRoute<Lab>;
  segment: string;
}

/**
 * Finds the page or form that a request is for. Where a path is also that of an operation, programs
 * get JSON; only forms get to the forms.
 */
async function findRoute(
  request: IncomingRequest,
  path: string,
): Promise<FoundPage | undefined> {
  const { route, segment } = await findPage(request.method, path);
  if (request.method === "POST") {
    return route && mediaType(request.headers) === formType ? { route, segment } : undefined;
  }
  const isPage = wantsPage(request.headers);
  if (route && (isPage || route.isPartOfPages)) return { route, segment };
  const { findOperation } = await loadOperations();
  const isUnknown = findOperation(request.method, path).routes.length === 0;
  if (route && isUnknown) return { route, segment };
  if (!isPage) return undefined;
  const shown = await pageOfForm(path) ?? (isUnknown ? missingPage : undefined);
  return shown && { route: shown, segment: "" };
}

/** The response of a form has the address of the form, which leads a GET to the page with the form. */
async function pageOfForm(path: string): Promise<LabPageRoute<Lab> | undefined> {
  if (!(await findPage("POST", path)).route) return undefined;
  const [, first = ""] = path.split("/");
  const list = `/${first.replace(/^\w+-/, "")}s`;
  for (const page of [`/${first}`, list, ""]) {
    if (!(await findPage("GET", page)).route) continue;
    return pageAt(path, (_lab, call) => seePage(call, page));
  }
  return undefined;
}

const missingPage: LabPageRoute = pageAt("", () => {
  throw notFound();
});

async function respond(
  lab: Lab,
  labRequest: LabRequest,
  found: FoundPage,
): Promise<ResponseData> {
  const call = await createCall(lab, labRequest);
  const result = await handleSafely(lab, call, found);
  if (!isResponseData(result)) {
    const isLive = result.isLive === true && await maySeeLab(call);
    return await labPageResponse(lab, call, { ...result, isLive }).catch((cause) => {
      // The top bar may be what failed: without the token, it has no counters.
      const plain = { ...call, mayEnter: async () => false };
      return labPageResponse(lab, plain, problemPage(plain, toPageError(cause)));
    });
  }
  return withHeaders(result, call.browser.headers);
}

/** Makes the call of a page, without what a malformed request may lack: segment and form. */
async function createCall(
  lab: Lab,
  { request, path, token, isApart, place }: LabRequest,
): Promise<LabPageCall> {
  const { settings } = lab.context;
  const { pathname, search, searchParams } = new URL(request.url);
  const ctx = lab.contextOf(request);
  const browser = await labBrowserOf(ctx);
  const call: LabPageCall = {
    request,
    ctx,
    base: place.base,
    homeUrl: isApart ? issuerUrl(settings.frontChannelUrl, "/") : `${settings.base}/`,
    here: `${pathname}${search}`,
    segment: "",
    query: searchParams,
    form: new URLSearchParams(),
    areas: (hasCounts) => shownAreas(lab, hasCounts),
    additions: (at, name = "") =>
      featureInterfaces.flatMap(({ additions = {} }) =>
        additions[at]?.(place.base, name, lab, call) ?? []
      ),
    offerFix: (exchanges, place) =>
      featureInterfaces.flatMap(({ offerFix }) =>
        offerFix?.(lab, exchanges, { ...call, ...place }) ?? []
      )[0],
    homeSections: () =>
      Promise.all(featureInterfaces.map(({ homeSection }) => homeSection?.(lab, call))),
    clientCommands: featureInterfaces.flatMap(({ clientCommands = [] }) => clientCommands),
    browser,
    formToken: await labFormToken(browser),
    token,
    isAlone: isApart && !path.startsWith("/lab"),
    // Asked once: a wrong token counts as a guess each time.
    mayEnter: once(() => mayEnter(ctx, browser, token)),
  };
  return call;
}

/** Handles a request that has passed the guard, unless it lacks the lab's token. */
async function handleSafely(
  lab: Lab,
  received: LabPageCall,
  { route, segment }: FoundPage,
): Promise<LabPage | ResponseData> {
  try {
    const form = await readForm(received.request);
    const call = { ...received, segment: decodeSegment(segment), form };
    const isGuarded = call.request.method === "POST" && route.takesAnyForm !== true;
    if (isGuarded) await checkLabForm(call.browser, call.form);
    if (!route.isPublic && !await call.mayEnter()) return tokenDoor(call);
    return await route.handle(lab, call);
  } catch (cause) {
    return problemPage(received, toPageError(cause));
  }
}

async function readForm(request: IncomingRequest): Promise<URLSearchParams> {
  return new URLSearchParams(request.method === "POST" ? await request.text() : "");
}

async function mayEnter(
  ctx: RequestContext,
  browser: LabBrowser,
  token: LabToken | undefined,
): Promise<boolean> {
  if (token === undefined || await hasEntered(ctx, browser, token)) return true;
  const authorization = ctx.request.headers.get("Authorization");
  return authorization !== null && await token.matches(authorization, ctx.sender);
}

function toPageError(cause: unknown): OAuthError {
  if (cause instanceof LabError || cause instanceof ConfigError) {
    return new OAuthError("invalid_request", cause.message, { status: 400 });
  }
  return toOAuthError(cause);
}
