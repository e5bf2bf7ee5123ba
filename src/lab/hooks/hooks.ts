import { isObject, parseJson } from "../../server/util/text/json.ts";
import { createBoundedMap } from "../../server/util/values/bounded_map.ts";
import {
  checkScope,
  fires,
  type FlowScope,
  isIdle,
  isWithinScope,
  type ScopedRequest,
} from "../faults/flow_scope.ts";
import { places } from "../faults/places.ts";
import {
  changedBody,
  changedHeaders,
  checkResponseChange,
  isChangeable,
  type ResponseChange,
  type ScopedResponseChange,
} from "../faults/response_change.ts";
import { tokenOf, type WireResponse } from "../recording/exchange.ts";
import { LabError, unknownName } from "../util/lab_error.ts";
import {
  accessTokenIn,
  changeResponse,
  type DraftChanges,
  type HookedExchange,
  pointsOf,
} from "./apply_hooks.ts";
import {
  type Hook,
  type HookChange,
  type HookDrafts,
  type HookPoint,
  hookPoints,
  type HookRequest,
  type HookScope,
  type ResponseDraft,
} from "./hook.ts";

/** How many changed access tokens are remembered for userinfo. */
const maxTokens = 2000;

/** What a hook of a test does, by point. */
type Changes = { [Point in HookPoint]?: HookChange<Point> };

interface ActiveHook {
  hook: Hook;
  /** Whether a response has what the hook changes. */
  appliesTo?(response: WireResponse): boolean;
  changes: Changes;
  /** The claims that it adds to tokens, and to userinfo for these tokens. */
  claims?: Record<string, unknown>;
}

/** A response after the hooks, and the names of the hooks that fired. */
export interface HookedResponse {
  response: WireResponse;
  fired: string[];
}

/** The hooks of a lab, which change what its server sends. */
export interface Hooks {
  /** Adds a function that changes what the server sends at a point. */
  on<Point extends HookPoint>(point: Point, change: HookChange<Point>, scope?: HookScope): Hook;
  /** Adds claims to access tokens, ID tokens, and userinfo for those tokens. */
  addClaims(claims: Record<string, unknown>, scope?: FlowScope): Hook;
  /** Adds a change of the responses of an endpoint, as data. */
  changeResponse(change: ScopedResponseChange): Hook;
  /** Returns the hooks that never fired, except for those that may stay idle. */
  idle(): Hook[];
  list(): Hook[];
  clear(): void;
  /** Returns a response as the hooks change it. Rejects with the error of a hook that throws. */
  apply(exchange: HookedExchange & ScopedRequest, response: WireResponse): Promise<HookedResponse>;
}

/** Creates the hooks of a lab. It always has those that its configuration names. */
export function createHooks(configured: readonly ScopedResponseChange[] = []): Hooks {
  let nextId = 1;
  let active: ActiveHook[] = [];
  let claimsOfTokens = createBoundedMap<Record<string, unknown>>(maxTokens);
  /** False until the first hook: most labs have none, and every request asks. */
  let hasWork = false;

  function add(
    point: Hook["point"],
    scope: HookScope & Pick<Hook, "change">,
    rest: Omit<ActiveHook, "hook">,
  ): Hook {
    const remove = () => void (active = active.filter((each) => each.hook !== hook));
    const hook: Hook = {
      ...scope,
      id: `hook-${nextId++}`,
      point,
      met: 0,
      fired: 0,
      remove,
      [Symbol.dispose]: remove,
    };
    active.push({ hook, ...rest });
    hasWork = true;
    return hook;
  }

  const hooks: Hooks = {
    on(point, change, scope = {}) {
      if (!hookPoints.includes(point)) throw unknownName("hook", String(point), hookPoints);
      if (typeof change !== "function") throw new LabError("A hook needs a function.");
      checkScope("hook", scope, ["at"]);
      checkPlace(point, scope);
      return add(point, scope, { changes: { [point]: change } });
    },
    addClaims(claims, scope = {}) {
      checkScope("hook", scope);
      const merge = (draft: { claims: Record<string, unknown> }) =>
        void Object.assign(draft.claims, claims);
      return add("claims", scope, { claims, changes: { token: merge, id_token: merge } });
    },
    changeResponse(scoped) {
      checkResponseChange(scoped);
      const { merge, set, unset, headers, unsetHeaders, status, when, ...scope } = scoped;
      const change = { merge, set, unset, headers, unsetHeaders, status, when };
      return add("response", { ...scope, change }, {
        appliesTo: (response) => isChangeable(change, response),
        changes: { response: (draft) => changeDraft(draft, change) },
      });
    },
    idle: () => active.map(({ hook }) => hook).filter(isIdle),
    list: () => active.map(({ hook }) => hook),
    clear() {
      active = [];
      hasWork = false;
      claimsOfTokens = createBoundedMap(maxTokens);
      for (const change of configured) hooks.changeResponse(change);
    },
    async apply(exchange, response) {
      if (!hasWork) return { response, fired: [] };
      const points = pointsOf(exchange, response);
      const added = points.includes("userinfo")
        ? claimsOfTokens.get(tokenOf(exchange.request) ?? "")
        : undefined;
      if (active.length === 0 && !added) return { response, fired: [] };
      const firing: ActiveHook[] = [];
      for (const each of active) {
        const isHere = points.some((point) => each.changes[point]) &&
          isInPlace(each.hook, exchange) && each.appliesTo?.(response) !== false;
        if (isHere && await isWithinScope(each.hook, exchange) && fires(each.hook)) {
          firing.push(each);
        }
      }
      const userinfo = added && { changes: { userinfo: mergeClaims(added) } };
      const changed = await changeResponse(
        exchange,
        response,
        combine([...userinfo ? [userinfo] : [], ...firing], points, await requestOf(exchange)),
      );
      const claims = Object.assign({}, ...firing.map((each) => each.claims ?? {}));
      const token = accessTokenIn(changed);
      if (token !== undefined && Object.keys(claims).length > 0) claimsOfTokens.set(token, claims);
      const fired = firing.map(({ hook }) => `hook.${hook.point}`);
      return { response: changed, fired: userinfo ? ["hook.claims", ...fired] : fired };
    },
  };
  hooks.clear();
  return hooks;
}

/** The other points have one endpoint each. */
function checkPlace(point: HookPoint, { at }: HookScope): void {
  if (at === undefined) return;
  if (!Object.hasOwn(places, at)) throw unknownName("endpoint", String(at), Object.keys(places));
  if (point !== "response") throw new LabError("Only a hook for 'response' takes 'at'.");
}

function isInPlace({ at }: Hook, { request }: ScopedRequest): boolean {
  return at === undefined || places[at](request);
}

/** Changes a response by data. A body that an earlier hook made no JSON stays as it is. */
function changeDraft(draft: ResponseDraft, change: ResponseChange): ResponseDraft {
  const { status = draft.status } = change;
  const json = parseJson(draft.body);
  const body = isObject(json) ? JSON.stringify(changedBody(change, json)) : draft.body;
  return { status, headers: changedHeaders(change, draft.headers), body };
}

function mergeClaims(claims: Record<string, unknown>): HookChange<"userinfo"> {
  return (draft) => void Object.assign(draft.claims, claims);
}

/** Combines the hooks of each point that a response has: each continues where another ended. */
function combine(
  hooks: ReadonlyArray<Pick<ActiveHook, "changes">>,
  points: readonly HookPoint[],
  request: HookRequest,
): DraftChanges {
  const changesAt = <Point extends HookPoint>(point: Point) => {
    const changes = hooks.map(({ changes }) => changes[point]).filter((each) => each !== undefined);
    if (changes.length === 0 || !points.includes(point)) return undefined;
    return async (first: HookDrafts[Point]) => {
      let draft = first;
      for (const change of changes) draft = await change(draft, request) ?? draft;
      return draft;
    };
  };
  return {
    token: changesAt("token"),
    id_token: changesAt("id_token"),
    userinfo: changesAt("userinfo"),
    redirect: changesAt("redirect"),
    response: changesAt("response"),
  };
}

async function requestOf({ request, findFlow }: ScopedRequest): Promise<HookRequest> {
  const { method, path, headers, query, form } = request;
  const parameters = Object.fromEntries([...query, ...form]);
  const client = request.client ?? (await findFlow())?.client;
  return { method, path, client, headers, parameters };
}
