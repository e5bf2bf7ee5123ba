import type { ConcernedIds } from "../../server/config/events.ts";
import type { EndpointName } from "../../server/config/paths_config.ts";
import { cibaGrantType, deviceCodeGrantType } from "../../server/protocol/grant_types.ts";
import { createBoundedMap, heldBytes, megabyte } from "../../server/util/values/bounded_map.ts";
import { type Exchange, intendedForm, jsonOf, presentedIn, type WireRequest } from "./exchange.ts";
import { createRing, type RingLimits } from "./ring.ts";
import { isWithin } from "./tenant_client.ts";
import { callbackIn, memberOf, type WireCallback } from "./wire_callback.ts";

/** Older flows, and older steps of a flow, are forgotten. */
const limits: RingLimits = { count: 2000, bytes: 32 * megabyte };
const maxSteps = 2000;
const maxIdBytes = 32 * megabyte;

/** What a step takes at most, apart from its error, in bytes. */
const ofStep = 512;

/** The members of a response that matter here. Most responses have none, and are not parsed. */
const readMember = /error|id_token/;

/** The endpoints at which a client asks for access. */
const firstEndpoints: readonly EndpointName[] = [
  "authorize",
  "par",
  "deviceAuthorization",
  "backchannelAuthentication",
];

const polledGrants: readonly string[] = [deviceCodeGrantType, cibaGrantType];

const stepNames: Readonly<Partial<Record<EndpointName, FlowStepName>>> = {
  authorize: "asked",
  par: "pushed",
  deviceAuthorization: "asked",
  backchannelAuthentication: "asked",
  device: "shown a page",
  logout: "signed out",
  userinfo: "used",
  introspect: "introspected",
  revoke: "revoked",
  interaction: "shown a page",
};

/** One authorization as it went over the wire, from the request to the last use of a token. */
export interface FlowTrace {
  /** The id of the flow in the lab: `"flow-1"`. */
  id: string;
  /** The client that began the flow. */
  client?: string | undefined;
  /** The tenant or provider at which it began, if that was not the lab itself: `"google"`. */
  tenant?: string | undefined;
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
  /** How often the client refreshed tokens. */
  refreshes: number;
  /** How often the client used an access token at the userinfo endpoint or the MCP server. */
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
  | "signed out"
  | "polled";

/** Groups the exchanges of a lab into flows. */
export type Timeline = ReturnType<typeof createTimeline>;

/**
 * Finds flows by the ids that the server noted for their requests. The server does not know what a
 * fault invented, and no other server what a tenant issued, so that is found by its value.
 */
export function createTimeline(issuer: string) {
  let count = 0;
  const flows = createRing<FlowTrace>(limits);
  /** The number of a flow, by what it is known by. */
  let flowsById = createBoundedMap<string>(maxIdBytes);

  function begin(exchange: Exchange): FlowTrace {
    const flow = newFlow(`flow-${++count}`, exchange);
    flows.add(flow, heldBytes(flow));
    return flow;
  }

  function findByIds(ids: readonly string[]): FlowTrace | undefined {
    for (const id of ids) {
      const flow = flows.get(flowsById.get(id) ?? "");
      if (flow) return flow;
    }
    return undefined;
  }

  const findByValues = (request: WireRequest) => findByIds(valueIds(presentedIn(request)));

  return {
    /** Finds the flow of a request that concerns certain ids. */
    find: (request: WireRequest, concerns: ConcernedIds) =>
      findByIds(idsIn(concerns)) ?? findByValues(request),
    /** Adds an exchange to the flow that it belongs to, and returns that flow. */
    observe(exchange: Exchange): FlowTrace | undefined {
      const { request, response, concerns, faults, tenant } = exchange;
      const callback = response && callbackIn(response, issuer);
      const what = callback ? "answered" : stepNameOf(exchange);
      if (what === undefined) return undefined;
      const ids = idsIn(concerns, tenant);
      const begins = ids.length > 0 || beginsFlow(request);
      const flow = findByIds(ids) ?? findByValues(request) ??
        (begins ? begin(exchange) : undefined);
      if (!flow) return undefined;
      const isKnownHereOnly = faults.length > 0 || tenant !== undefined;
      const isRead = isKnownHereOnly || response && readMember.test(response.body);
      const read: ReadResponse = { callback, json: isRead && response && jsonOf(response) || {} };
      flow.client ??= ownerIn(request);
      const { error = "" } = addStep(flow, what, exchange, read);
      flows.grow(flow, ofStep + 2 * error.length);
      const sent = isKnownHereOnly ? sentIn(read, what) : [];
      // An ID token names no authorization. A client may send it in place of an access token.
      for (const id of [...ids, ...valueIds([...sent, read.json.id_token])]) {
        if (flowsById.get(id) !== flow.id) flowsById.set(id, flow.id);
      }
      return flow;
    },
    list: () => flows.list().map((flow) => ({ ...flow, steps: [...flow.steps] })),
    /** Forgets everything, or what began at a tenant. */
    clear(tenant?: string): void {
      flows.clear((each) => isWithin(tenant, each));
      if (tenant !== undefined) return;
      count = 0;
      flowsById = createBoundedMap(maxIdBytes);
    },
  };
}

/** Servers with the same seed give the same ids. */
function idsIn(concerns: ConcernedIds, tenant = ""): string[] {
  return Object.entries(concerns).map(([kind, id]) => `${tenant} ${kind}:${id}`);
}

function valueIds(values: readonly unknown[]): string[] {
  return values.filter(Boolean).map((value) => `value:${value}`);
}

interface ReadResponse {
  callback: WireCallback | undefined;
  json: Record<string, unknown>;
}

/**
 * Returns the codes and tokens that a response sends. An application that does not notice a missing
 * access token sends "undefined".
 */
function sentIn({ callback, json }: ReadResponse, what: FlowStepName): unknown[] {
  const missing = what === "redeemed" || what === "refreshed" ? "undefined" : undefined;
  return [memberOf(callback, "code"), json.access_token ?? missing, json.refresh_token];
}

/** Returns the client of a request, unless it only looks at what another client has. */
function ownerIn({ endpoint, client }: WireRequest): string | undefined {
  return endpoint === "introspect" ? undefined : client;
}

function newFlow(id: string, { request, tenant }: Exchange): FlowTrace {
  const { query, form } = request;
  const parameter = (name: string) => form.get(name) ?? query.get(name) ?? undefined;
  const flow: FlowTrace = {
    id,
    client: ownerIn(request),
    state: parameter("state"),
    nonce: parameter("nonce"),
    loginHint: parameter("login_hint"),
    codeChallenge: parameter("code_challenge"),
    steps: [],
    refreshes: 0,
    uses: 0,
  };
  return tenant === undefined ? flow : { ...flow, tenant };
}

function addStep(
  flow: FlowTrace,
  what: FlowStepName,
  exchange: Exchange,
  read: ReadResponse,
): FlowStep {
  const { id, at, response } = exchange;
  const status = response?.status;
  const error = response ? errorOf(read) : "no answer";
  const step = { at, what, exchange: id, status, error };
  flow.steps.push(step);
  if (flow.steps.length > maxSteps) flow.steps.shift();
  if (what === "refreshed" && status === 200) flow.refreshes++;
  if (what === "used") flow.uses++;
  return step;
}

function stepNameOf({ request, isMcp = false }: Exchange): FlowStepName | undefined {
  const { endpoint } = request;
  if (isMcp) return "used";
  if (endpoint === "token") return tokenStepName(intendedForm(request).get("grant_type"));
  return endpoint && stepNames[endpoint];
}

function tokenStepName(grantType: string | null): FlowStepName {
  if (grantType === "refresh_token") return "refreshed";
  return polledGrants.includes(grantType ?? "") ? "polled" : "redeemed";
}

/** Whether a request that continues no flow begins one. */
function beginsFlow(request: WireRequest): boolean {
  const { endpoint } = request;
  if (endpoint === "token") {
    const grantType = intendedForm(request).get("grant_type") ?? "";
    return !["authorization_code", "refresh_token"].includes(grantType);
  }
  return endpoint !== undefined && firstEndpoints.includes(endpoint);
}

function errorOf({ callback, json: { error } }: ReadResponse): string | undefined {
  return memberOf(callback, "error") ?? (typeof error === "string" ? error : undefined);
}
