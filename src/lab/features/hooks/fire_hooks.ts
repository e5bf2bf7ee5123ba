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
  const firing = await findFiring(active, points, exchange);
  if (firing.length === 0) return { response, fired: [] };
  const changes = combine(firing, await requestOf(exchange));
  return {
    response: await changeResponse(exchange, response, changes),
    fired: firing.map(({ hook }) => `hook.${hook.point}`),
  };
}

async function findFiring(
  active: readonly ActiveHook[],
  points: readonly HookPoint[],
  exchange: ScopedRequest,
): Promise<ActiveHook[]> {
  const firing: ActiveHook[] = [];
  for (const each of active) {
    const isHere = points.includes(each.hook.point) && isInPlace(each.hook, exchange);
    if (isHere && await isWithinScope(each.hook, exchange) && fires(each.hook)) firing.push(each);
  }
  return firing;
}

function isInPlace({ at }: Hook, { request }: ScopedRequest): boolean {
  return at === undefined || places[at](request);
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

async function requestOf({ request, findFlow }: ScopedRequest): Promise<HookRequest> {
  const { method, path, headers, query, form } = request;
  const parameters = Object.fromEntries([...query, ...form]);
  const client = request.client ?? (await findFlow())?.client;
  return { method, path, client, headers, parameters };
}
