import { callbackIn } from "./callback.ts";
import type { Exchange, WireRequest } from "./exchange.ts";
import { headerOf, jsonOf, tokenOf } from "./exchange.ts";

/** A flow as it went over the wire: from the request to the last use of a token. */
export interface FlowTrace {
  id: string;
  client?: string;
  state?: string;
  nonce?: string;
  loginHint?: string;
  codeChallenge?: string;
  steps: FlowStep[];
  /** How often tokens were refreshed, and how often they were used. */
  refreshes: number;
  uses: number;
}

export interface FlowStep {
  /** In milliseconds of the lab's clock. */
  at: number;
  what: FlowWord;
  /** The exchange in which it happened. */
  exchange: number;
  status?: number;
  error?: string;
}

export type FlowWord =
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
  find(asked: WireRequest): FlowTrace | undefined;
  observe(exchange: Exchange): void;
  list(): FlowTrace[];
  clear(): void;
}

/** A flow is found again by every secret, handle and id that its answers hand out: its threads. */
export function createTimeline(issuer: string): Timeline {
  let flows: FlowTrace[] = [];
  let threads = new Map<string, FlowTrace>();

  function begin(asked: WireRequest): FlowTrace {
    const parameter = (name: string) => asked.form.get(name) ?? asked.query.get(name) ?? undefined;
    const flow: FlowTrace = {
      id: `flow-${flows.length + 1}`,
      client: asked.client,
      state: parameter("state"),
      nonce: parameter("nonce"),
      loginHint: parameter("login_hint"),
      codeChallenge: parameter("code_challenge"),
      steps: [],
      refreshes: 0,
      uses: 0,
    };
    flows.push(flow);
    return flow;
  }

  const find = (asked: WireRequest) => threadsOf(asked).map((thread) => threads.get(thread)).find((flow) => flow !== undefined);

  return {
    find,
    observe(exchange) {
      const word = wordFor(exchange, issuer);
      if (word === undefined) return;
      const flow = find(exchange.asked) ?? (beginsFlow(exchange) ? begin(exchange.asked) : undefined);
      if (!flow) return;
      const { status } = exchange.answered ?? {};
      flow.steps.push({ at: exchange.at, what: word, exchange: exchange.id, status, error: errorOf(exchange, issuer) });
      if (word === "refreshed" && status === 200) flow.refreshes++;
      if (word === "used") flow.uses++;
      for (const thread of threadsFrom(exchange, issuer)) threads.set(thread, flow);
    },
    list: () => flows.map((flow) => ({ ...flow, steps: [...flow.steps] })),
    clear: () => {
      flows = [];
      threads = new Map();
    },
  };
}

/** The threads that a request takes up. */
function threadsOf(asked: WireRequest): string[] {
  const { path, query, form } = asked;
  return spin([
    ...placeThread(path.split("/")),
    ["request", query.get("request_uri")],
    ["code", form.get("code")],
    ["device", form.get("device_code")],
    ["token", form.get("refresh_token")],
    ["token", form.get("subject_token")],
    ["token", form.get("token")],
    ["token", tokenOf(asked)],
  ]);
}

/** The threads that an answer hands out. */
function threadsFrom({ answered }: Exchange, issuer: string): string[] {
  if (!answered) return [];
  const json = jsonOf(answered) ?? {};
  return spin([
    ...placeThread(pathOf(headerOf(answered, "Location"), issuer)),
    ["code", callbackIn(answered, issuer)?.members.find(([name]) => name === "code")?.[1]],
    ["token", json.access_token],
    ["token", json.refresh_token],
    ["request", json.request_uri],
    ["device", json.device_code],
  ]);
}

function spin(pairs: ReadonlyArray<readonly [kind: string, value: unknown]>): string[] {
  return pairs.filter(([, value]) => typeof value === "string" && value !== "").map(([kind, value]) => `${kind}:${value}`);
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

const words: Record<string, FlowWord> = {
  "/oauth2/par": "pushed",
  "/oauth2/device_authorization": "asked",
  "/oauth2/userinfo": "used",
  "/oauth2/introspect": "introspected",
  "/oauth2/revoke": "revoked",
};

function wordFor({ asked: { path, form }, answered }: Exchange, issuer: string): FlowWord | undefined {
  if (answered && callbackIn(answered, issuer)) return "answered";
  if (path === "/oauth2/token") return tokenWord(form.get("grant_type"));
  if (path.startsWith("/oauth2/authorize")) return "asked";
  if (path.startsWith("/oauth2/interaction/")) return "shown a page";
  return words[path];
}

function tokenWord(grantType: string | null): FlowWord {
  if (grantType === "refresh_token") return "refreshed";
  return grantType?.endsWith("device_code") ? "polled" : "redeemed";
}

/** A request that goes on with nothing begins something, where it can. */
function beginsFlow({ asked: { path, form } }: Exchange): boolean {
  if (path === "/oauth2/token") return !["authorization_code", "refresh_token"].includes(form.get("grant_type") ?? "");
  return path === "/oauth2/authorize" || path === "/oauth2/par" || path === "/oauth2/device_authorization";
}

function errorOf({ answered }: Exchange, issuer: string): string | undefined {
  if (!answered) return "no answer";
  const inCallback = callbackIn(answered, issuer)?.members.find(([name]) => name === "error")?.[1];
  const { error } = jsonOf(answered) ?? {};
  return inCallback ?? (typeof error === "string" ? error : undefined);
}
