import type { Context } from "../../server/issuer/context.ts";
import { findUser } from "../../server/issuer/users/users.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { HandledRequest } from "../layers/pending_exchange.ts";
import { parameterOf, type WireRequest, type WireResponse } from "../recording/exchange.ts";
import type { Refusal } from "../recording/refusal.ts";
import { changePart, redirect } from "../responses/part.ts";
import { findIssuedCode } from "../tokens/issue_without_request.ts";
import { openSealed } from "../tokens/sealed.ts";
import { holdsFor, userValues } from "./added_claims.ts";
import type { Dialect } from "./dialect.ts";
import { findErrorShape, shapedError } from "./error_shapes.ts";
import type { AccountCheck } from "./provider_refusals.ts";
import type { ConditionalMembers } from "./response_settings.ts";
import { fillMembers, type TemplateValues } from "./template.ts";
import { type TokenShapes, withChange } from "./token_shapes.ts";

/** A request that the server has handled, and what its response depends on. */
export interface DialectExchange extends HandledRequest {
  /** Why the server refused the request. */
  refusal: Refusal | undefined;
  /** Finds the authorization request that led to this request. */
  findAsked(): Promise<WireRequest | undefined>;
  /** Looked at the user of the request, if the provider takes some accounts and not others. */
  accounts?: AccountCheck | undefined;
}

/** Gives an authorization response the shape of a dialect. */
export async function shapeCallback(
  dialect: Dialect,
  exchange: DialectExchange,
  response: WireResponse,
  { values, tokens, seen }: {
    values: TemplateValues;
    tokens: TokenShapes;
    seen: Map<string, true>;
  },
): Promise<WireResponse> {
  const { authorizationResponse: change = {}, firstResponse = [], errors = [] } = dialect;
  const { server, refusal } = exchange;
  const asked = await exchange.findAsked();
  const scope = asked && parameterOf(asked, "scope");
  const known = { ...values, scope, client: asked?.client };
  return await changePart(redirect, server, response, async ({ redirectUri, parameters }) => {
    const { error, code } = parameters;
    if (error !== undefined) {
      const shape = findErrorShape(errors, "authorize", error, refusal?.rule);
      const shaped = shape ? shapedError(parameters, shape, known) : parameters;
      return { redirectUri, parameters: toTexts(shaped) };
    }
    const first = await firstParameters(server.context, firstResponse, code, seen);
    const given = await withShapedIdToken(exchange, parameters, tokens);
    const changed = withChange({ ...given, ...first }, change, known);
    return { redirectUri, parameters: toTexts(changed) };
  });
}

/** An ID token that comes with a code has the shape of the others. */
async function withShapedIdToken(
  { server }: DialectExchange,
  parameters: Readonly<Record<string, string>>,
  tokens: TokenShapes,
): Promise<Record<string, string>> {
  const { id_token } = parameters;
  if (id_token === undefined) return { ...parameters };
  const shaped = await tokens.shapeToken(server.context, "idToken", id_token);
  // The client decrypts it before it presents it as a hint.
  tokens.remember(openSealed(server, shaped), openSealed(server, id_token));
  return { ...parameters, id_token: shaped };
}

/**
 * Returns the parameters that only the first authorization response about a user to a client has.
 * `seen` remembers to whom there was one.
 */
async function firstParameters(
  ctx: Context,
  rules: readonly ConditionalMembers[],
  code: string | undefined,
  seen: Map<string, true>,
): Promise<Record<string, unknown>> {
  const issued = code === undefined ? undefined : await findIssuedCode(ctx, code);
  const user = issued && await findUser(ctx, issued.userName);
  if (!user) return {};
  const owner = `first response\n${issued.clientId}\n${user.subject}`;
  if (seen.has(owner)) return {};
  seen.set(owner, true);
  return rules.filter((rule) => holdsFor(rule, user, issued.scope))
    .map(({ set }) => fillMembers(set, userValues(user)))
    .reduce(joinMembers, {});
}

function joinMembers(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const joined = Object.entries(other).map(([name, value]) => {
    const before = one[name];
    return [name, isObject(before) && isObject(value) ? { ...before, ...value } : value] as const;
  });
  return { ...one, ...Object.fromEntries(joined) };
}

/** Returns parameters as texts: an object is sent as JSON. */
function toTexts(parameters: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    isObject(value) ? JSON.stringify(value) : String(value),
  ]);
  return Object.fromEntries(texts);
}
