import type { HandledRequest } from "../../layers/pending_exchange.ts";
import type { WireResponse } from "../../recording/exchange.ts";
import { fires, isWithinScope, type ScopedRequest } from "../../recording/flow_scope.ts";
import { places } from "../../responses/places.ts";
import { changeResponse, checkDraft, type DraftChanges, pointsOf } from "./apply_hooks.ts";
import type { Hook, HookChange, HookDrafts, HookPoint, HookRequest } from "./hook.ts";

export interface ActiveHook {
  hook: Hook;
  changes: { [Point in HookPoint]?: HookChange<Point> };
}

/** A response after the hooks, and the names of the hooks that fired. */
export interface HookedResponse {
  response: WireResponse;
  fired: string[];
}

/** Applies the hooks that a request matches, and counts them. */
export async function fireHooks(
  active: readonly ActiveHook[],
  exchange: HandledRequest & ScopedRequest,
  response: WireResponse,
): Promise<HookedResponse> {
  const points = pointsOf(exchange, response);
  const firing: ActiveHook[] = [];
  for (const each of active) {
    const { at, point } = each.hook;
    const isHere = points.includes(point) && (at === undefined || places[at](exchange.request));
    if (isHere && await isWithinScope(each.hook, exchange) && fires(each.hook)) firing.push(each);
  }
  if (firing.length === 0) return { response, fired: [] };
  const { method, path, headers, query, form, client } = exchange.request;
  const changes = combine(firing, {
    method,
    path,
    client: client ?? (await exchange.findFlow())?.client,
    headers,
    parameters: Object.fromEntries([...query, ...form]),
  });
  return {
    response: await changeResponse(exchange, response, changes),
    fired: firing.map(({ hook }) => `hook.${hook.point}`),
  };
}

/** Combines the hooks of each point that a response has: each continues where another ended. */
function combine(
  hooks: readonly ActiveHook[],
  request: HookRequest,
): DraftChanges {
  const changesAt = <Point extends HookPoint>(point: Point) => {
    const changes = hooks.map(({ changes }) => changes[point]).filter((each) => each !== undefined);
    if (changes.length === 0) return undefined;
    return async (first: HookDrafts[Point]) => {
      let draft = first;
      for (const change of changes) draft = await change(draft, request) ?? draft;
      checkDraft(point, draft);
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
