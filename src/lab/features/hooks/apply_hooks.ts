import { listHeaders } from "../../../server/http/response_data.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { HandledRequest } from "../../layers/pending_exchange.ts";
import { bodilessStatuses, type WireResponse } from "../../recording/exchange.ts";
import { fires, isWithinScope, type ScopedRequest } from "../../recording/flow_scope.ts";
import { changeTokens } from "../../responses/change_tokens.ts";
import {
  accessToken,
  changePart,
  idToken,
  type JsonMembers,
  redirect,
  type ResponsePart,
  userClaims,
} from "../../responses/part.ts";
import { places } from "../../responses/places.ts";
import type { TokenDraft } from "../../tokens/signed_tokens.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { LabError } from "../../util/lab_error.ts";
import {
  type Hook,
  type HookChange,
  type HookDrafts,
  type HookPoint,
  hookPoints,
  type HookRequest,
  type ResponseDraft,
} from "./hook.ts";

export interface ActiveHook {
  hook: Hook;
  changes: { [Point in HookPoint]?: HookChange<Point> };
}

/** A whole response. Cookies stay as they are: an object of headers cannot hold two of them. */
const whole: ResponsePart<ResponseDraft> = {
  appliesTo: () => true,
  read({ status, headers, body }) {
    const others = headers.filter(([name]) => !isCookie(name));
    return { status, headers: Object.fromEntries(listHeaders(others)), body };
  },
  write(response, { status, headers, body }) {
    const entries = Object.entries(headers)
      .map(([name, value]): [string, string] => [name, String(value)]);
    const problem = headerProblem(Object.fromEntries(entries));
    if (problem !== undefined) throw new LabError(`The headers cannot be sent: ${problem}.`);
    const cookies = response.headers.filter(([name]) => isCookie(name));
    const sent = bodilessStatuses.includes(status) ? "" : body;
    return { status, headers: [...entries, ...cookies], body: sent };
  },
};

const parts: Readonly<Record<HookPoint, ResponsePart<unknown>>> = {
  token: accessToken,
  id_token: idToken,
  userinfo: userClaims,
  redirect,
  response: whole,
};

/** The members of each draft, and whether a hook left all of them. */
const drafts: { readonly [Point in HookPoint]: DraftCheck<HookDrafts[Point]> } = {
  token: ["{ header, claims }", isTokenDraft],
  id_token: ["{ header, claims }", isTokenDraft],
  userinfo: ["{ claims }", ({ claims }) => isObject(claims)],
  redirect: [
    "{ redirectUri, parameters }",
    ({ redirectUri, parameters }) => typeof redirectUri === "string" && isObject(parameters),
  ],
  response: [
    "{ status, headers, body }",
    ({ status, headers, body }) =>
      Number.isInteger(status) && status >= 200 && status <= 599 && isObject(headers) &&
      typeof body === "string",
  ],
};

type DraftCheck<Draft> = readonly [members: string, isWhole: (draft: Draft) => boolean];

/** Applies the hooks that a request matches, and counts them; returns the names of those that fired. */
export async function applyHooks(
  active: readonly ActiveHook[],
  exchange: HandledRequest & ScopedRequest,
  response: WireResponse,
): Promise<{ response: WireResponse; fired: string[] }> {
  const { server, request } = exchange;
  const points = hookPoints.filter((point) => {
    const { appliesTo, read } = parts[point];
    return appliesTo(request) && read(response, server) !== undefined;
  });
  const firing: ActiveHook[] = [];
  for (const each of active) {
    const { at, point } = each.hook;
    const isHere = points.includes(point) && (at === undefined || places[at](request));
    if (isHere && await isWithinScope(each.hook, exchange) && fires(each.hook)) firing.push(each);
  }
  if (firing.length === 0) return { response, fired: [] };
  const { method, path, headers, query, form, client } = request;
  const changes = combine(firing, {
    method,
    path,
    client: client ?? (await exchange.findFlow())?.client,
    headers,
    parameters: Object.fromEntries([...query, ...form]),
  });
  const { token, id_token, userinfo } = changes;
  let changed = response;
  if (token || id_token) changed = await changeTokens(server, changed, { token, id_token });
  if (userinfo) {
    const change = async (claims: JsonMembers) => (await userinfo({ claims })).claims;
    changed = await changePart(userClaims, server, changed, change);
  }
  if (changes.redirect) changed = await changePart(redirect, server, changed, changes.redirect);
  if (changes.response) changed = await changePart(whole, server, changed, changes.response);
  return { response: changed, fired: firing.map(({ hook }) => `hook.${hook.point}`) };
}

/** Combines the hooks of each point that a response has: each continues where another ended. */
function combine(hooks: readonly ActiveHook[], request: HookRequest) {
  const changesAt = <Point extends HookPoint>(point: Point) => {
    const changes = hooks.map(({ changes }) => changes[point]).filter((each) => each !== undefined);
    if (changes.length === 0) return undefined;
    return async (first: HookDrafts[Point]): Promise<HookDrafts[Point]> => {
      let draft = first;
      for (const change of changes) draft = await change(draft, request) ?? draft;
      const [members, isWhole] = drafts[point];
      if (isWhole(draft)) return draft;
      throw new LabError(`A hook must change its draft in place, or return all of it: ${members}.`);
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

function isTokenDraft({ header, claims }: TokenDraft): boolean {
  return isObject(header) && isObject(claims);
}

function isCookie(name: string): boolean {
  return name.toLowerCase() === "set-cookie";
}
