import { listHeaders } from "../../../server/http/response_data.ts";
import { isObject } from "../../../server/util/text/json.ts";
import type { HandledRequest } from "../../layers/pending_exchange.ts";
import { bodilessStatuses, type WireResponse } from "../../recording/exchange.ts";
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
import type { TokenDraft } from "../../tokens/signed_tokens.ts";
import { headerProblem } from "../../util/header_problem.ts";
import { LabError } from "../../util/lab_error.ts";
import { type HookDrafts, type HookPoint, hookPoints, type ResponseDraft } from "./hook.ts";

/** Changes a draft by all hooks of a point; undefined if there are none for this request. */
export type ChangeDraft<Point extends HookPoint> =
  | ((draft: HookDrafts[Point]) => Promise<HookDrafts[Point]>)
  | undefined;

export type DraftChanges = { [Point in HookPoint]: ChangeDraft<Point> };

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

/** Returns the points that a response has: what a hook there could change. */
export function pointsOf(
  { server, request }: HandledRequest,
  response: WireResponse,
): HookPoint[] {
  return hookPoints.filter((point) => {
    const { appliesTo, read } = parts[point];
    return appliesTo(request) && read(response, server) !== undefined;
  });
}

export async function changeResponse(
  { server }: HandledRequest,
  response: WireResponse,
  { token, id_token, userinfo, redirect: parameters, response: all }: DraftChanges,
): Promise<WireResponse> {
  let changed = response;
  if (token || id_token) changed = await changeTokens(server, changed, { token, id_token });
  if (userinfo) {
    const change = async (claims: JsonMembers) => (await userinfo({ claims })).claims;
    changed = await changePart(userClaims, server, changed, change);
  }
  if (parameters) changed = await changePart(redirect, server, changed, parameters);
  return all ? await changePart(whole, server, changed, all) : changed;
}

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

/** Throws unless a draft has all of its members after the hooks of a point. */
export function checkDraft<Point extends HookPoint>(point: Point, draft: HookDrafts[Point]): void {
  const [members, isWhole] = drafts[point];
  if (isWhole(draft)) return;
  throw new LabError(`A hook must change its draft in place, or return all of it: ${members}.`);
}

function isTokenDraft({ header, claims }: TokenDraft): boolean {
  return isObject(header) && isObject(claims);
}

function isCookie(name: string): boolean {
  return name.toLowerCase() === "set-cookie";
}
