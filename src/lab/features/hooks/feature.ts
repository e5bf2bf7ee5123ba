import { errorBody, OAuthError } from "../../../server/protocol/oauth_error.ts";
import { messageOf } from "../../../server/util/text/error_message.ts";
import { ofTenant } from "../../core/core_lab.ts";
import type { LabFeature } from "../../feature.ts";
import { type RequestLayers, unless } from "../../layers/layer.ts";
import type { HandledRequest } from "../../layers/pending_exchange.ts";
import type { WireResponse } from "../../recording/exchange.ts";
import { checkScope, isIdle, type ScopedRequest } from "../../recording/flow_scope.ts";
import type { TokenFollower } from "../../responses/change_tokens.ts";
import { failureResponse } from "../../responses/failure_response.ts";
import { places } from "../../responses/places.ts";
import { LabError, unknownName } from "../../util/lab_error.ts";
import { type ActiveHook, applyHooks } from "./apply_hooks.ts";
import {
  type HookChange,
  type HookPoint,
  hookPoints,
  type HookScope,
  type HookTools,
} from "./hook.ts";

/** Functions of a test that change what the server sends. */
export const hooks: LabFeature<HookTools> = {
  name: "hooks",
  open({ parts, lab }) {
    const own = createHooks();
    return {
      tools: {
        on: (point, change, { tenant, ...scope } = {}) =>
          ofTenant<HookTools>(tenant, own, lab().tenants).on(point, change, scope),
      },
      layers: createHookLayers(own, () => parts().dialect),
      remarks: () => ({ idleFaults: own.idle().map(({ point }) => `hook.${point}`) }),
      state: own,
    };
  },
};

/** Creates the layer in which the hooks of the test change responses. */
function createHookLayers(
  hooks: Hooks,
  dialect: () => (() => Promise<TokenFollower>) | undefined,
): RequestLayers {
  return {
    change: unless(() => !hooks.hasWork(), async (exchange, next) => {
      const made = await next();
      try {
        const { response, fired } = await hooks.apply(exchange, made);
        exchange.fired.push(...fired);
        await (await dialect()?.())?.follow(exchange.server, made, response);
        return response;
      } catch (failure) {
        exchange.failure = failure;
        // For a client in another process.
        const message = `A hook of the test failed: ${messageOf(failure)}`;
        const error = new OAuthError("server_error", message);
        return failureResponse(500, error.code, errorBody(error).error_description);
      }
    }),
  };
}

/** The hooks of a lab, which change what its server sends. */
type Hooks = ReturnType<typeof createHooks>;

/** Creates the hooks of a lab, which fire in the order in which they were added. */
function createHooks() {
  let nextId = 1;
  let active: readonly ActiveHook[] = [];

  return {
    on<Point extends HookPoint>(point: Point, change: HookChange<Point>, scope: HookScope = {}) {
      if (!hookPoints.includes(point)) throw unknownName("hook", String(point), hookPoints);
      if (typeof change !== "function") throw new LabError("A hook needs a function.");
      checkScope("hook", scope, ["at"]);
      checkPlace(point, scope);
      const remove = () => void (active = active.filter((each) => each.hook !== hook));
      const id = `hook-${nextId++}`;
      const counts = { met: 0, fired: 0 };
      const hook = { ...scope, id, point, ...counts, remove, [Symbol.dispose]: remove };
      active = [...active, { hook, changes: { [point]: change } }];
      return hook;
    },
    /** Returns the hooks that never fired, except for those that may stay idle. */
    idle: () => active.map(({ hook }) => hook).filter(isIdle),
    /** Removes all hooks. */
    clear: () => void (active = []),
    /** Whether there is any hook: most labs have none, and every request asks. */
    hasWork: () => active.length > 0,
    /** Returns a response as the hooks change it. Rejects with the error of a hook that throws. */
    apply: (exchange: HandledRequest & ScopedRequest, response: WireResponse) =>
      applyHooks(active, exchange, response),
  };
}

/** The other points have one endpoint each. */
function checkPlace(point: HookPoint, { at }: HookScope): void {
  if (at === undefined) return;
  if (!Object.hasOwn(places, at)) throw unknownName("endpoint", String(at), Object.keys(places));
  if (point !== "response") throw new LabError("Only a hook for 'response' takes 'at'.");
}
