import type { Claims } from "../../../server/model/claims.ts";
import { createBoundedMap, megabyte } from "../../../server/util/values/bounded_map.ts";
import { jsonOf, writeMembers } from "../../recording/exchange.ts";
import { checkScope, isIdle } from "../../recording/flow_scope.ts";
import { places } from "../../responses/places.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { type ActiveHook, type ApplyHooks, fireHooks } from "./fire_hooks.ts";
import {
  type Hook,
  type HookList,
  type HookPoint,
  hookPoints,
  type HookScope,
  type HookTools,
  type ResponseDraft,
} from "./hook.ts";
import {
  changedBody,
  changedHeaders,
  checkResponseChange,
  isChangeable,
  type ResponseChange,
  type ScopedResponseChange,
} from "./lab_server.ts";

/** How much memory changed access tokens take, which are remembered for userinfo. */
const maxTokenBytes = 16 * megabyte;

/** The hooks of a lab, which change what its server sends. */
export interface Hooks extends HookTools, HookList {
  /** False until the first hook: most labs have none, and every request asks. */
  hasWork(): boolean;
  /** Returns a response as the hooks change it. Rejects with the error of a hook that throws. */
  apply: ApplyHooks;
}

/** Creates the hooks of a lab. Once they are cleared, it has those that its configuration names. */
export function createHooks(configured: () => readonly ScopedResponseChange[]): Hooks {
  const added = createHookList();
  let claimsOfTokens = createBoundedMap<Claims>(maxTokenBytes);

  const hooks: Hooks = {
    on(point, change, scope = {}) {
      if (!hookPoints.includes(point)) throw unknownName("hook", String(point), hookPoints);
      if (typeof change !== "function") throw new LabError("A hook needs a function.");
      checkScope("hook", scope, ["at"]);
      checkPlace(point, scope);
      return added.add(point, scope, { changes: { [point]: change } });
    },
    addClaims(claims, scope = {}) {
      checkScope("hook", scope);
      const merge = (draft: { claims: Record<string, unknown> }) =>
        void Object.assign(draft.claims, claims);
      return added.add("claims", scope, { claims, changes: { token: merge, id_token: merge } });
    },
    changeResponse(at, scoped) {
      checkResponseChange({ ...scoped, at });
      const { merge, set, unset, headers, unsetHeaders, status, when, ...scope } = scoped;
      const change = { merge, set, unset, headers, unsetHeaders, status, when };
      return added.add("response", { ...scope, at, change }, {
        appliesTo: (response) => isChangeable(change, response),
        changes: { response: (draft) => changeDraft(draft, change) },
      });
    },
    idle: () => hooks.list().filter(isIdle),
    list: () => added.active().map(({ hook }) => hook),
    clear() {
      added.clear();
      claimsOfTokens = createBoundedMap(maxTokenBytes);
      for (const { at, ...change } of configured()) hooks.changeResponse(at, change);
    },
    hasWork: added.hasWork,
    apply: (exchange, response) =>
      fireHooks({ active: added.active(), claimsOfTokens }, exchange, response),
  };
  return hooks;
}

/** The other points have one endpoint each. */
function checkPlace(point: HookPoint, { at }: HookScope): void {
  if (at === undefined) return;
  if (!Object.hasOwn(places, at)) throw unknownName("endpoint", String(at), Object.keys(places));
  if (point !== "response") throw new LabError("Only a hook for 'response' takes 'at'.");
}

/** Changes a response by data. A body that an earlier hook left without members stays as it is. */
function changeDraft(draft: ResponseDraft, change: ResponseChange): ResponseDraft {
  const { status = draft.status } = change;
  const before = { ...draft, headers: Object.entries(draft.headers) };
  const members = jsonOf(before);
  const body = members ? writeMembers(before, changedBody(change, members)) : draft.body;
  return { status, headers: changedHeaders(change, draft.headers), body };
}

/** Creates the list of the hooks of a lab, in the order in which they were added. */
function createHookList() {
  let nextId = 1;
  let active: ActiveHook[] = [];
  let hasWork = false;
  return {
    active: (): readonly ActiveHook[] => active,
    /** Whether a hook was ever added. */
    hasWork: () => hasWork,
    /** Adds a hook, which can remove itself. */
    add(
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
    },
    clear(): void {
      active = [];
      hasWork = false;
    },
  };
}
