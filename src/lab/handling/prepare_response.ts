import type { IncomingRequest } from "../../server/http/incoming_request.ts";
import type { ResponseData } from "../../server/http/response_data.ts";
import type { RequestObserver } from "../../server/issuer/context.ts";
import { errorBody, errorFactory } from "../../server/protocol/oauth_error.ts";
import { messageOf } from "../../server/util/text/error_message.ts";
import type { AccountCheck } from "../dialect/account_types.ts";
import type { SpokenExchange } from "../dialect/response_shapes.ts";
import type { ScopedRequest } from "../faults/flow_scope.ts";
import type { HookedExchange } from "../hooks/apply_hooks.ts";
import { withRedirectStatus } from "../leniencies/redirect_status.ts";
import { changeRequest } from "../recording/changed_request.ts";
import {
  readWireResponse,
  type WholeResponse,
  type WireRequest,
  type WireResponse,
  withWholeBody,
} from "../recording/exchange.ts";
import { refusalOf } from "../recording/refusal.ts";
import type { RequestScope } from "../recording/request_scope.ts";
import { checkUnaskedUser } from "../sign_in/answer_for_user.ts";
import { LabError } from "../util/lab_error.ts";
import { createChooser } from "../values/choose_values.ts";
import type { LabParts } from "./lab_parts.ts";
import { unaskedUsers } from "./unasked_users.ts";

/** The response of the server, before faults change it. */
export interface UnfaultedResponse {
  /** The response of the server itself. */
  original: WholeResponse;
  /** The response as the lab's settings and the hooks of the test changed it. */
  response: WireResponse;
  /** Whether it differs from the original. */
  isChanged: boolean;
  /** The names of the hooks that fired. */
  firedHooks: readonly string[];
  /** The error of the hook that failed instead of changing the response. */
  hookError?: unknown;
}

/** A request, with all that hooks need to change its response. */
export type HookableExchange = HookedExchange & ScopedRequest;

/**
 * Lets the server respond, and the lab's settings and the hooks of the test change the response.
 */
export async function prepareResponse(
  parts: LabParts,
  context: HookableExchange,
  request: IncomingRequest,
  scope: RequestScope,
): Promise<UnfaultedResponse> {
  const { responseTypes, hooks } = parts;
  const { server, request: wireRequest } = context;
  const translated = await responseTypes.translateRequest(server.context, request, wireRequest);
  const findAsked = askedFinder(parts, context);
  const dialect = await parts.dialect?.();
  const accounts = dialect?.checkAccounts(server.context, findAsked);
  const observed = withUserCheck(scope, accounts);
  const original = await withWholeBody(await respond(parts, context, translated, observed));
  const sent = readWireResponse(original);
  const refusal = refusalOf(scope.learned);
  const isPublished = dialect?.publishes(wireRequest) ?? false;
  const named = isPublished ? sent : responseTypes.completeMetadata(sent);
  const redirected = withRedirectStatus(
    await responseTypes.completeResponse(server, wireRequest, named, refusal?.rule),
    server.issuer,
    parts.powers().redirectStatus ?? 303,
  );
  const spoken = { ...context, refusal, findAsked, accounts };
  const completed = await toClient(parts, spoken, redirected);
  try {
    const { response, fired } = await hooks.apply(context, completed);
    const isChanged = completed !== sent || fired.length > 0;
    return { original, response, isChanged, firedHooks: fired };
  } catch (hookError) {
    const response = failedHookResponse(hookError);
    return { original, response, isChanged: true, firedHooks: [], hookError };
  }
}

/** Returns the function that finds the request with which the flow of a request began. */
function askedFinder(
  { recorder }: LabParts,
  { request, findFlow }: HookableExchange,
): SpokenExchange["findAsked"] {
  return async () => {
    if (request.endpoint === "authorize") return request;
    const [first] = (await findFlow())?.steps ?? [];
    return recorder.all().find(({ id }) => id === first?.exchange)?.request;
  };
}

/** Lets the server refuse users whose accounts the provider does not take. */
function withUserCheck(scope: RequestScope, accounts: AccountCheck | undefined): RequestScope {
  if (!accounts) return scope;
  return { ...scope, observer: { ...scope.observer, refuseUser: accounts.refuseUser } };
}

/** Returns a response as clients expect it that speak the dialect of the lab. */
async function toClient(
  { dialect }: LabParts,
  exchange: SpokenExchange,
  response: WireResponse,
): Promise<WireResponse> {
  return dialect ? await (await dialect()).toClient(exchange, response) : response;
}

/** Returns the response for a client in another process if a hook throws. */
function failedHookResponse(cause: unknown): WireResponse {
  const error = errorFactory("server_error")(`A hook of the test failed: ${messageOf(cause)}`);
  return {
    status: 500,
    headers: [["Content-Type", "application/json"], ["Cache-Control", "no-store"]],
    body: JSON.stringify(errorBody(error)),
  };
}

/** Returns the response of the server, unless it would sign in a user who does not exist. */
async function respond(
  parts: LabParts,
  context: HookableExchange,
  request: IncomingRequest,
  scope: RequestScope,
): Promise<ResponseData> {
  const { server, request: wireRequest } = context;
  try {
    await checkUnaskedUser(server.context, unaskedUsers(parts), wireRequest);
  } catch (cause) {
    if (cause instanceof LabError) return plainTextResponse(cause.message, 400);
    throw cause;
  }
  return await respondOfServer(parts, context, request, scope);
}

/** Returns the response of the server, or of what only the dialect has. */
async function respondOfServer(
  parts: LabParts,
  context: HookableExchange,
  request: IncomingRequest,
  scope: RequestScope,
): Promise<ResponseData> {
  const { server, request: wireRequest } = context;
  const dialect = await parts.dialect?.();
  const own = await dialect?.respond(server.context, wireRequest, scope.learned);
  if (own) return own;
  const issued = withIssuedRefreshToken(request, wireRequest, parts.aliases);
  const understood = await dialect?.toServer(server.context, issued, wireRequest) ?? issued;
  return await server.respond(understood, {
    ...scope.observer,
    refusal: dialect?.refusalOf(wireRequest),
    sentTo: dialect?.endpointUrlOf(wireRequest),
    ...await chooserFor(parts, context, scope),
  });
}

/** Lets the server use the values that the test chose, or that have the form of the dialect. */
async function chooserFor(
  { values, dialect }: LabParts,
  { server: { context }, request, findFlow }: HookableExchange,
  { learned }: RequestScope,
): Promise<Pick<RequestObserver, "chooseCredential">> {
  const formed = (await dialect?.())?.chooser(context);
  if (values.isEmpty()) return { chooseCredential: formed };
  const onChosen = (name: string) => void learned.chosen.push(name);
  const chosen = createChooser(values, { context, request, findFlow, onChosen });
  return {
    chooseCredential: async (...wanted) => await chosen(...wanted) ?? await formed?.(...wanted),
  };
}

function plainTextResponse(text: string, status: number): ResponseData {
  return {
    status,
    headers: [
      ["Content-Type", "text/plain; charset=utf-8"],
      ["Cache-Control", "no-store"],
      ["X-Content-Type-Options", "nosniff"],
    ],
    body: text,
  };
}

/** Replaces a refresh token that a fault invented with the one that the server issued. */
function withIssuedRefreshToken(
  request: IncomingRequest,
  wireRequest: WireRequest,
  aliases: ReadonlyMap<string, string>,
): IncomingRequest {
  const issuedToken = aliases.get(wireRequest.form.get("refresh_token") ?? "");
  if (issuedToken === undefined) return request;
  const body = new URLSearchParams(wireRequest.form);
  body.set("refresh_token", issuedToken);
  return changeRequest(request, wireRequest, body.toString());
}
