import { createBoundedMap } from "../../util/bounded_map.ts";
import { readJwt } from "./credentials.ts";
import { type Exchange, headerOf, jsonOf, tokenOf, type WireRequest } from "./exchange.ts";
import { callbackIn, type WireCallback } from "./wire_callback.ts";

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

/** Ties what goes over the wire together into flows. */
export interface Timeline {
  /** The flow that a request goes on with, as far as it can be known from the request. */
  find(request: WireRequest): FlowTrace | undefined;
  observe(exchange: Exchange): void;
  list(): FlowTrace[];
  clear(): void;
}

/** What an answer says, read once. */
interface ReadResponse {
  callback?: WireCallback;
  json: Record<string, unknown>;
}

/** Flows that are kept, and steps of each; older ones are forgotten. */
const maxFlows = 2000;
const maxThreads = 10 * maxFlows;

/** A flow is found again by every secret, handle and id that its answers hand out: its threads. */
export function createTimeline(issuer: string): Timeline {
  let begun = 0;
  let flows: FlowTrace[] = [];
  let threads = createBoundedMap<FlowTrace>(maxThreads);

  function begin(request: WireRequest): FlowTrace {
    const parameter = (name: string) =>
      request.form.get(name) ?? request.query.get(name) ?? undefined;
    const flow: FlowTrace = {
      id: `flow-${++begun}`,
      client: request.client,
      state: parameter("state"),
      nonce: parameter("nonce"),
      loginHint: parameter("login_hint"),
      codeChallenge: parameter("code_challenge"),
      steps: [],
      refreshes: 0,
      uses: 0,
    };
    flows.push(flow);
    if (flows.length > maxFlows) flows.shift();
    return flow;
  }

  const find = (wireRequest: WireRequest) =>
    threadsOf(wireRequest).map((thread) => threads.get(thread)).find((flow) => flow !== undefined);

  return {
    find,
    observe(exchange) {
      const callback = exchange.response && callbackIn(exchange.response, issuer);
      const word = callback ? "answered" : wordFor(exchange.request);
      if (word === undefined) return;
      const told = { callback, json: exchange.response && jsonOf(exchange.response) || {} };
      const flow = find(exchange.request) ??
        (beginsFlow(exchange) ? begin(exchange.request) : undefined);
      if (!flow) return;
      const { status } = exchange.response ?? {};
      flow.steps.push({
        at: exchange.at,
        what: word,
        exchange: exchange.id,
        status,
        error: errorOf(exchange, told),
      });
      if (flow.steps.length > maxFlows) flow.steps.shift();
      if (word === "refreshed" && status === 200) flow.refreshes++;
      if (word === "used") flow.uses++;
      for (const thread of threadsFrom(exchange, told, issuer)) threads.set(thread, flow);
    },
    list: () => flows.map((flow) => ({ ...flow, steps: [...flow.steps] })),
    clear: () => {
      begun = 0;
      flows = [];
      threads = createBoundedMap(maxThreads);
    },
  };
}

/** The threads that a request takes up. */
function threadsOf(request: WireRequest): string[] {
  const { path, query, form } = request;
  return spin([
    ...placeThread(path.split("/")),
    ["request", query.get("request_uri")],
    ["code", form.get("code")],
    ["device", form.get("device_code")],
    ["token", form.get("refresh_token")],
    ["token", form.get("subject_token")],
    ["token", form.get("token")],
    ["token", tokenOf(request)],
  ]);
}

/** The threads that an answer hands out. */
function threadsFrom(
  { response }: Exchange,
  { callback, json }: ReadResponse,
  issuer: string,
): string[] {
  const location = response && !callback ? headerOf(response, "Location") : undefined;
  return spin([
    ...placeThread(pathOf(location, issuer)),
    ["code", memberOf(callback, "code") ?? codeWithin(memberOf(callback, "response"))],
    ["token", json.access_token],
    ["token", json.refresh_token],
    ["request", json.request_uri],
    ["device", json.device_code],
  ]);
}

/** In a signed response the code stands within. */
function codeWithin(response: string | undefined): unknown {
  return response === undefined ? undefined : readJwt(response)?.claims.code;
}

function spin(pairs: ReadonlyArray<readonly [kind: string, value: unknown]>): string[] {
  return pairs.filter(([, value]) => typeof value === "string" && value !== "").map((
    [kind, value],
  ) => `${kind}:${value}`);
}

/** Where a request waits: /oauth2/interaction/ID, or /oauth2/authorize/HANDLE. */
function placeThread([, , place, segment]: string[]): Array<[string, string | undefined]> {
  return place === "interaction" || place === "authorize" ? [[place, segment]] : [];
}

function pathOf(location: string | undefined, issuer: string): string[] {
  if (location === undefined || !URL.canParse(location, issuer)) return [];
  const { origin, pathname } = new URL(location, issuer);
  const { origin: ours, pathname: base } = new URL(issuer);
  if (origin !== ours) return [];
  return pathname.slice(base === "/" ? 0 : base.length).split("/");
}

const words: Record<string, FlowStepName> = {
  "/oauth2/par": "pushed",
  "/oauth2/device_authorization": "asked",
  "/oauth2/userinfo": "used",
  "/oauth2/introspect": "introspected",
  "/oauth2/revoke": "revoked",
};

function wordFor({ path, form }: WireRequest): FlowStepName | undefined {
  if (path === "/oauth2/token") return tokenWord(form.get("grant_type"));
  if (path.startsWith("/oauth2/authorize")) return "asked";
  if (path.startsWith("/oauth2/interaction/")) return "shown a page";
  return words[path];
}

function tokenWord(grantType: string | null): FlowStepName {
  if (grantType === "refresh_token") return "refreshed";
  return grantType?.endsWith("device_code") ? "polled" : "redeemed";
}

/** A request that goes on with nothing begins something, where it can. */
function beginsFlow({ request: { path, form } }: Exchange): boolean {
  if (path === "/oauth2/token") {
    return !["authorization_code", "refresh_token"].includes(form.get("grant_type") ?? "");
  }
  return path === "/oauth2/authorize" || path === "/oauth2/par" ||
    path === "/oauth2/device_authorization";
}

function errorOf(
  { response }: Exchange,
  { callback, json: { error } }: ReadResponse,
): string | undefined {
  if (!response) return "no answer";
  return memberOf(callback, "error") ?? (typeof error === "string" ? error : undefined);
}

function memberOf(callback: WireCallback | undefined, name: string): string | undefined {
  return callback?.members.find(([each]) => each === name)?.[1];
}
