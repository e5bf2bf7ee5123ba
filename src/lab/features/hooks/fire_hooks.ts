import type { Claims } from "../../../server/model/claims.ts";
import type { BoundedMap } from "../../../server/util/values/bounded_map.ts";
import type { HandledRequest } from "../../layers/pending_exchange.ts";
import { tokenOf, type WireResponse } from "../../recording/exchange.ts";
import { fires, isWithinScope, type ScopedRequest } from "../../recording/flow_scope.ts";
import { accessToken } from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import { changeResponse, checkDraft, type DraftChanges, pointsOf } from "./apply_hooks.ts";
import type { Hook, HookChange, HookDrafts, HookPoint, HookRequest } from "./hook.ts";

/** What a hook of a test does, by point. */
type Changes = { [Point in HookPoint]?: HookChange<Point> };

/** A hook, and what it does. */
export interface ActiveHook {
  hook: Hook;
  /** Whether a response has what the hook changes. */
  appliesTo?(response: WireResponse): boolean;
  changes: Changes;
  /** The claims that it adds to tokens, and to userinfo for these tokens. */
  claims?: Claims;
}

/** A response after the hooks, and the names of the hooks that fired. */
export interface HookedResponse {
  response: WireResponse;
  fired: string[];
}

/** Returns a response as hooks change it. */
export type ApplyHooks = (
  exchange: HandledRequest & ScopedRequest,
  response: WireResponse,
) => Promise<HookedResponse>;

/** The hooks of a lab, and the claims that they added to access tokens. */
export interface HookMemory {
  active: readonly ActiveHook[];
  claimsOfTokens: BoundedMap<Claims>;
}

/** Applies the hooks that a request matches, and counts them. */
export async function fireHooks(
  { active, claimsOfTokens }: HookMemory,
  exchange: HandledRequest & ScopedRequest,
  response: WireResponse,
): Promise<HookedResponse> {
  const points = pointsOf(exchange, response);
  const added = points.includes("userinfo")
    ? claimsOfTokens.get(tokenOf(exchange.request) ?? "")
    : undefined;
  if (active.length === 0 && !added) return { response, fired: [] };
  const firing = await findFiring(active, points, exchange, response);
  const userinfo = added && { changes: { userinfo: mergeClaims(added) } };
  const changed = await changeResponse(
    exchange,
    response,
    combine([...userinfo ? [userinfo] : [], ...firing], points, await requestOf(exchange)),
  );
  const claims = Object.assign({}, ...firing.map((each) => each.claims ?? {}));
  const token = accessToken.read(changed, exchange.server);
  if (token !== undefined && Object.keys(claims).length > 0) claimsOfTokens.set(token, claims);
  const fired = firing.map(({ hook }) => `hook.${hook.point}`);
  return { response: changed, fired: userinfo ? ["hook.claims", ...fired] : fired };
}

async function findFiring(
  active: readonly ActiveHook[],
  points: readonly HookPoint[],
  exchange: ScopedRequest,
  response: WireResponse,
): Promise<ActiveHook[]> {
  const firing: ActiveHook[] = [];
  for (const each of active) {
    const isHere = points.some((point) => each.changes[point]) &&
      isInPlace(each.hook, exchange) && each.appliesTo?.(response) !== false;
    if (isHere && await isWithinScope(each.hook, exchange) && fires(each.hook)) firing.push(each);
  }
  return firing;
}

function isInPlace({ at }: Hook, { request }: ScopedRequest): boolean {
  return at === undefined || places[at](request);
}

function mergeClaims(claims: Claims): HookChange<"userinfo"> {
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
