import type { InternalServer } from "../../server/server.ts";
import { isObject } from "../../server/util/text/json.ts";
import { places } from "../faults/places.ts";
import type { AnsweredRequest } from "../layers/pending_exchange.ts";
import { bodilessStatuses, jsonOf, type WireResponse, withJson } from "../recording/exchange.ts";
import { callbackIn } from "../recording/wire_callback.ts";
import { readCallback, writeCallback } from "../tokens/signed_callback.ts";
import { leftHalf, readToken, writeToken } from "../tokens/signed_tokens.ts";
import { headerProblem } from "../util/header_problem.ts";
import { LabError } from "../util/lab_error.ts";
import type { HookDrafts, HookPoint } from "./hook.ts";

/** Changes a draft by all hooks of a point; undefined if there are none for this request. */
export type ChangeDraft<Point extends HookPoint> =
  | ((draft: HookDrafts[Point]) => Promise<HookDrafts[Point]>)
  | undefined;

/** The changes of one exchange, by point. */
export type DraftChanges = { [Point in HookPoint]: ChangeDraft<Point> };

/** Returns the points that a response has: what a hook there could change. */
export function pointsOf(
  { server, request }: AnsweredRequest,
  response: WireResponse,
): HookPoint[] {
  const points: HookPoint[] = ["response"];
  const json = response.status === 200 ? jsonOf(response) : undefined;
  if (places.token(request) && typeof json?.access_token === "string") points.push("token");
  if (places.token(request) && typeof json?.id_token === "string") points.push("id_token");
  if (places.userinfo(request) && response.status === 200) points.push("userinfo");
  if (callbackIn(response, server.issuer)) points.push("redirect");
  return points;
}

/** Returns the response as the hooks change it. */
export async function changeResponse(
  exchange: AnsweredRequest,
  response: WireResponse,
  changes: DraftChanges,
): Promise<WireResponse> {
  let changed = response;
  if (changes.token || changes.id_token) changed = await changeTokens(exchange, changed, changes);
  if (changes.userinfo) changed = await changeUserinfo(exchange, changed, changes.userinfo);
  if (changes.redirect) changed = await changeRedirect(exchange, changed, changes.redirect);
  return changes.response ? await changeWhole(changed, changes.response) : changed;
}

/** Returns a token response as the changes of tokens make it. */
export async function changeTokens(
  { server }: AnsweredRequest,
  response: WireResponse,
  changes: Pick<DraftChanges, "token" | "id_token">,
): Promise<WireResponse> {
  const { access_token: access, id_token: id } = jsonOf(response) ?? {};
  const accessToken = await changeToken(server, access, changes.token);
  // The ID token names the access token by its hash, which must stay right.
  const rebind = async (draft: HookDrafts["id_token"]) => {
    const before = await leftHalf(String(access), draft.header.alg);
    if (accessToken !== access && draft.claims.at_hash === before) {
      draft.claims.at_hash = await leftHalf(String(accessToken), draft.header.alg);
    }
    return changes.id_token ? await changes.id_token(draft) : draft;
  };
  const idToken = await changeToken(server, id, rebind);
  return withJson(response, (body) => ({
    ...body,
    ...accessToken !== undefined && { access_token: accessToken },
    ...idToken !== undefined && { id_token: idToken },
  }));
}

async function changeToken(
  server: InternalServer,
  token: unknown,
  change: ChangeDraft<"token">,
): Promise<unknown> {
  if (typeof token !== "string" || !change) return token;
  const draft = await readToken(server.context, token);
  if (!draft) return token;
  const { header, claims } = await change(draft);
  if (!isObject(header) || !isObject(claims)) throw invalidDraft("{ header, claims }");
  return await writeToken(server.context, token, { header, claims });
}

/** Userinfo is JSON, or a JWT that the server signs. */
async function changeUserinfo(
  { server }: AnsweredRequest,
  response: WireResponse,
  change: NonNullable<ChangeDraft<"userinfo">>,
): Promise<WireResponse> {
  const json = jsonOf(response);
  const jwt = json ? undefined : await readToken(server.context, response.body);
  const before = json ?? jwt?.claims;
  if (!before) return response;
  const { claims } = await change({ claims: before });
  if (!isObject(claims)) throw invalidDraft("{ claims }");
  const body = jwt
    ? await writeToken(server.context, response.body, { header: jwt.header, claims })
    : JSON.stringify(claims);
  return { ...response, body };
}

/** Returns an authorization response as a change makes it. */
export async function changeRedirect(
  { server }: AnsweredRequest,
  response: WireResponse,
  change: NonNullable<ChangeDraft<"redirect">>,
): Promise<WireResponse> {
  const callback = readCallback(response, server.issuer);
  if (!callback) return response;
  const draft = await change({
    redirectUri: callback.redirectUri,
    parameters: Object.fromEntries(callback.members),
  });
  const { redirectUri, parameters } = draft;
  if (typeof redirectUri !== "string" || !isObject(parameters)) {
    throw invalidDraft("{ redirectUri, parameters }");
  }
  const members = Object.entries(parameters)
    .map(([name, value]): [string, string] => [name, String(value)]);
  return await writeCallback(server.context, response, { ...callback, redirectUri, members });
}

/** Cookies are kept: an object of headers cannot hold two of them. */
async function changeWhole(
  response: WireResponse,
  change: NonNullable<ChangeDraft<"response">>,
): Promise<WireResponse> {
  const cookies = response.headers.filter(([name]) => isCookie(name));
  const others = response.headers.filter(([name]) => !isCookie(name));
  const { status, headers, body } = await change({
    status: response.status,
    headers: Object.fromEntries(others),
    body: response.body,
  });
  const isStatus = Number.isInteger(status) && status >= 200 && status <= 599;
  if (!isStatus || !isObject(headers) || typeof body !== "string") {
    throw invalidDraft("{ status, headers, body }");
  }
  const entries = Object.entries(headers)
    .map(([name, value]): [string, string] => [name, String(value)]);
  const problem = headerProblem(Object.fromEntries(entries));
  if (problem !== undefined) throw new LabError(`The headers cannot be sent: ${problem}.`);
  const sent = bodilessStatuses.includes(status) ? "" : body;
  return { status, headers: [...entries, ...cookies], body: sent };
}

function isCookie(name: string): boolean {
  return name.toLowerCase() === "set-cookie";
}

function invalidDraft(members: string): LabError {
  return new LabError(`A hook must change its draft in place, or return all of it: ${members}.`);
}

/** Returns the access token that a response hands out. */
export function accessTokenIn(response: WireResponse): string | undefined {
  const token = jsonOf(response)?.access_token;
  return typeof token === "string" ? token : undefined;
}
