import { createBoundedMap } from "../../util/bounded_map.ts";
import { readJwt } from "./credentials.ts";
import {
  type Exchange,
  headerOf,
  jsonOf,
  tokenOf,
  type WireRequest,
  type WireResponse,
} from "./exchange.ts";
import { callbackIn, type WireCallback } from "./wire_callback.ts";

/** Older flows, and older steps of a flow, are forgotten. */
const maxFlows = 2000;
const maxSteps = 2000;
const maxThreads = 10 * maxFlows;

const stepNames: Readonly<Record<string, FlowStepName>> = {
  "/oauth2/par": "pushed",
  "/oauth2/device_authorization": "asked",
  "/oauth2/userinfo": "used",
  "/oauth2/introspect": "introspected",
  "/oauth2/revoke": "revoked",
};

/** One authorization as it went over the wire, from the request to the last use of a token. */
export interface FlowTrace {
  /** The id of the flow in the lab: `"flow-1"`. */
  id: string;
  /** The client that began the flow. */
  client?: string | undefined;
  /** The `state` of the request. */
  state?: string | undefined;
  /** The `nonce` of the request. */
  nonce?: string | undefined;
  /** The `login_hint` of the request. */
  loginHint?: string | undefined;
  /** The `code_challenge` of the request. */
  codeChallenge?: string | undefined;
  /** What happened, in order. */
  steps: FlowStep[];
  /** How often tokens were refreshed. */
  refreshes: number;
  /** How often an access token was used at the userinfo endpoint. */
  uses: number;
}

/** One step of a flow. */
export interface FlowStep {
  /** When it happened, in milliseconds of the lab's clock. */
  at: number;
  /** What happened. */
  what: FlowStepName;
  /** The id of the recorded request. */
  exchange: number;
  /** The status of the response. */
  status?: number | undefined;
  /** The error code, or `"no answer"` if the connection broke. */
  error?: string | undefined;
}

/** What can happen in a flow. */
export type FlowStepName =
  | "pushed"
  | "asked"
  | "shown a page"
  | "answered"
  | "redeemed"
  | "refreshed"
  | "used"
  | "introspected"
  | "revoked"
  | "polled";

/** Groups the exchanges of a lab into flows. */
export interface Timeline {
  /** Finds the flow that a request continues, as far as the request shows. */
  find(request: WireRequest): FlowTrace | undefined;
  observe(exchange: Exchange): void;
  list(): FlowTrace[];
  clear(): void;
}

/** A response, read once. */
interface ReadResponse {
  callback: WireCallback | undefined;
  json: Record<string, unknown>;
}

/** A flow is found by threads: every secret, handle and id that its responses hand out. */
export function createTimeline(issuer: string): Timeline {
  let count = 0;
  let flows: FlowTrace[] = [];
  let threads = createBoundedMap<FlowTrace>(maxThreads);

  function begin(request: WireRequest): FlowTrace {
    const flow = newFlow(`flow-${++count}`, request);
    flows.push(flow);
    if (flows.length > maxFlows) flows.shift();
    return flow;
  }

  const find = (request: WireRequest) =>
    threadsOf(request).map((thread) => threads.get(thread)).find((flow) => flow !== undefined);

  return {
    find,
    observe(exchange) {
      const { request, response } = exchange;
      const callback = response && callbackIn(response, issuer);
      const what = callback ? "answered" : stepNameOf(request);
      if (what === undefined) return;
      const flow = find(request) ?? (beginsFlow(request) ? begin(request) : undefined);
      if (!flow) return;
      const read: ReadResponse = { callback, json: response && jsonOf(response) || {} };
      addStep(flow, what, exchange, read);
      for (const thread of threadsFrom(response, read, issuer)) threads.set(thread, flow);
    },
    list: () => flows.map((flow) => ({ ...flow, steps: [...flow.steps] })),
    clear() {
      count = 0;
      flows = [];
      threads = createBoundedMap(maxThreads);
    },
  };
}

function newFlow(id: string, { client, query, form }: WireRequest): FlowTrace {
  const parameter = (name: string) => form.get(name) ?? query.get(name) ?? undefined;
  return {
    id,
    client,
    state: parameter("state"),
    nonce: parameter("nonce"),
    loginHint: parameter("login_hint"),
    codeChallenge: parameter("code_challenge"),
    steps: [],
    refreshes: 0,
    uses: 0,
  };
}

function addStep(
  flow: FlowTrace,
  what: FlowStepName,
  { id, at, response }: Exchange,
  read: ReadResponse,
): void {
  const status = response?.status;
  const error = response ? errorOf(read) : "no answer";
  flow.steps.push({ at, what, exchange: id, status, error });
  if (flow.steps.length > maxSteps) flow.steps.shift();
  if (what === "refreshed" && status === 200) flow.refreshes++;
  if (what === "used") flow.uses++;
}

/** Returns the threads that a request takes up. */
function threadsOf(request: WireRequest): string[] {
  const { path, query, form } = request;
  return toThreads([
    ...pathThread(path.split("/")),
    ["request", query.get("request_uri")],
    ["code", form.get("code")],
    ["device", form.get("device_code")],
    ["token", form.get("refresh_token")],
    ["token", form.get("subject_token")],
    ["token", form.get("token")],
    ["token", tokenOf(request)],
  ]);
}

/** Returns the threads that a response hands out. */
function threadsFrom(
  response: WireResponse | undefined,
  { callback, json }: ReadResponse,
  issuer: string,
): string[] {
  const location = response && !callback ? headerOf(response, "Location") : undefined;
  return toThreads([
    ...pathThread(pathOf(location, issuer)),
    ["code", memberOf(callback, "code") ?? signedCodeIn(memberOf(callback, "response"))],
    ["token", json.access_token],
    ["token", json.refresh_token],
    ["request", json.request_uri],
    ["device", json.device_code],
  ]);
}

/** Returns the code in a signed response (JARM). */
function signedCodeIn(response: string | undefined): unknown {
  return response === undefined ? undefined : readJwt(response)?.claims.code;
}

function toThreads(pairs: ReadonlyArray<readonly [kind: string, value: unknown]>): string[] {
  return pairs
    .filter(([, value]) => typeof value === "string" && value !== "")
    .map(([kind, value]) => `${kind}:${value}`);
}

/** Returns the thread of a pending request: /oauth2/interaction/ID, or /oauth2/authorize/HANDLE. */
function pathThread([, , kind, id]: string[]): Array<[kind: string, id: string | undefined]> {
  return kind === "interaction" || kind === "authorize" ? [[kind, id]] : [];
}

function pathOf(location: string | undefined, issuer: string): string[] {
  if (location === undefined || !URL.canParse(location, issuer)) return [];
  const { origin, pathname } = new URL(location, issuer);
  const { origin: ours, pathname: base } = new URL(issuer);
  if (origin !== ours) return [];
  return pathname.slice(base === "/" ? 0 : base.length).split("/");
}

function stepNameOf({ path, form }: WireRequest): FlowStepName | undefined {
  if (path === "/oauth2/token") return tokenStepName(form.get("grant_type"));
  if (path.startsWith("/oauth2/authorize")) return "asked";
  if (path.startsWith("/oauth2/interaction/")) return "shown a page";
  return stepNames[path];
}

function tokenStepName(grantType: string | null): FlowStepName {
  if (grantType === "refresh_token") return "refreshed";
  return grantType?.endsWith("device_code") ? "polled" : "redeemed";
}

/** Whether a request that continues no flow begins one. */
function beginsFlow({ path, form }: WireRequest): boolean {
  if (path === "/oauth2/token") {
    return !["authorization_code", "refresh_token"].includes(form.get("grant_type") ?? "");
  }
  return path === "/oauth2/authorize" || path === "/oauth2/par" ||
    path === "/oauth2/device_authorization";
}

function errorOf({ callback, json: { error } }: ReadResponse): string | undefined {
  return memberOf(callback, "error") ?? (typeof error === "string" ? error : undefined);
}

function memberOf(callback: WireCallback | undefined, name: string): string | undefined {
  return callback?.members.find(([each]) => each === name)?.[1];
}
