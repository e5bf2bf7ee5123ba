import { interactionIdAt } from "../../config/endpoint_paths.ts";
import { authorize, authorizeByPost } from "../../endpoints/authorize.ts";
import { allowRequest } from "../../endpoints/interaction/consent.ts";
import {
  decideStep,
  findRequestingClient,
  type SignedInDecision,
} from "../../endpoints/interaction/decide_step.ts";
import { pageFor } from "../../endpoints/interaction/page_for.ts";
import { handleRequest } from "../../endpoints/responses/handle_request.ts";
import { pageResponse } from "../../endpoints/responses/page_response.ts";
import type { Endpoint, Route } from "../../endpoints/route.ts";
import { readForm, readQuery } from "../../http/body.ts";
import type { HeaderList } from "../../http/response.ts";
import type { Context } from "../../issuer/context.ts";
import {
  consumePushedRequest,
  findInteraction,
  finishInteraction,
} from "../../issuer/requests/interactions.ts";
import type { ResolvedRequest } from "../../issuer/requests/pushed_requests.ts";
import { resolveRequest } from "../../issuer/requests/resolve_request.ts";
import { findBrowser } from "../../issuer/sessions/browsers.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import type { User } from "../../model/user.ts";
import { redirectErrorsTo } from "../../protocol/authorization_response.ts";
import { createRuleLog } from "../../protocol/rule.ts";
import type { WireRequest } from "../recording/exchange.ts";
import { noteConcerned, noteRules } from "../recording/request_scope.ts";
import { allowDeviceAtOnce, bringsUserCode } from "./device_without_pages.ts";
import type { HandsFree } from "./hands_free.ts";
import { allowFor, requireUser, withPrompt } from "./hands_free_session.ts";

/**
 * Responds to an authorization request in place of a user who is not asked. Returns undefined for
 * every request that leads to a page.
 */
export async function respondWithoutPages(
  ctx: Context,
  wireRequest: WireRequest,
  request: Request,
  handsFree: HandsFree,
): Promise<Response | undefined> {
  const { path, endpoint, method } = wireRequest;
  if (endpoint === "authorize" && (method === "GET" || method === "POST")) {
    const name = handsFree.take();
    if (name !== undefined) {
      return await runEndpoint(ctx, request, signInAtOnce(await requireUser(ctx, name)));
    }
    return handsFree.skipsConsent ? await runEndpoint(ctx, request, allowAtOnce) : undefined;
  }
  const user = handsFree.user();
  if (user !== undefined && await bringsUserCode(ctx, wireRequest)) {
    handsFree.take();
    return await runEndpoint(ctx, request, allowDeviceAtOnce(await requireUser(ctx, user)));
  }
  const id = interactionIdAt(ctx.settings.paths, path);
  if (!handsFree.skipsConsent || id === undefined || method !== "GET") return undefined;
  return await runEndpoint(ctx, request, continueWithoutConsent, id);
}

/** Runs an endpoint as the server runs its own: errors go to the client, or become a page. */
async function runEndpoint(
  ctx: Context,
  request: Request,
  handler: Endpoint,
  segment = "",
): Promise<Response> {
  const method = request.method === "POST" ? "POST" : "GET";
  const route: Route = { method, path: ctx.settings.paths.authorize, handler, kind: "page" };
  const { applied, apply } = createRuleLog(ctx.settings.hints);
  noteRules({ rules: applied });
  return await handleRequest({ ...ctx, apply, note: noteConcerned }, request, {
    route,
    routes: [route],
    segment,
  });
}

/** Signs a user in and allows the request. Every `prompt` has the same effect. */
function signInAtOnce(user: User): Endpoint {
  return async (ctx, request) => {
    const resolved = await resolve(ctx, request);
    const { client, authorizationRequest: pending } = resolved;
    return await redirectErrorsTo(pending.responseTarget, async () => {
      const { decision, headers } = await allowFor(ctx, request, { client, pending }, user);
      return await finish(ctx, request, resolved, decision, headers);
    });
  };
}

/** Allows the request of a user who is signed in; anyone else gets the page of the next step. */
const allowAtOnce: Endpoint = async (ctx, request) => {
  const resolved = await resolve(ctx, request);
  const { client, authorizationRequest: pending } = resolved;
  const prompt = pending.prompt.filter((value) => value !== "none" && value !== "consent");
  const decision = await redirectErrorsTo(
    pending.responseTarget,
    async () =>
      await decideStep(ctx, client, {
        pending: withPrompt(pending, prompt),
        signedIn: await findSession(ctx, request),
        allowed: true,
      }),
  );
  if (decision.step !== "respond") {
    return await (request.method === "POST" ? authorizeByPost : authorize)(ctx, request);
  }
  return await redirectErrorsTo(
    pending.responseTarget,
    () => finish(ctx, request, resolved, decision, []),
  );
};

/** Continues an interaction as its page would, but responds where the consent page comes. */
const continueWithoutConsent: Endpoint = async (ctx, request, id) => {
  const found = await findInteraction(ctx, id, await findBrowser(ctx, request));
  const { pending } = found;
  const signedIn = await findSession(ctx, request);
  const client = await findRequestingClient(ctx, request, pending);
  const decision = await redirectErrorsTo(
    pending.responseTarget,
    () => decideStep(ctx, client, { ...found, signedIn, allowed: true }),
  );
  if (decision.step !== "respond") {
    return pageResponse(await pageFor(ctx, request, decision, found));
  }
  await finishInteraction(ctx, found);
  return await redirectErrorsTo(pending.responseTarget, () => allowRequest(ctx, request, decision));
};

async function resolve(ctx: Context, request: Request): Promise<ResolvedRequest> {
  const parameters = request.method === "POST"
    ? await readForm(ctx.apply, request)
    : readQuery(ctx.apply, request);
  return await resolveRequest(ctx, request, parameters);
}

/** Responds to the client with everything that it asked for. */
async function finish(
  ctx: Context,
  request: Request,
  { authorizationRequest, pushedId }: ResolvedRequest,
  decision: SignedInDecision,
  headers: HeaderList,
): Promise<Response> {
  if (pushedId !== undefined) await consumePushedRequest(ctx, pushedId, authorizationRequest);
  const response = await allowRequest(ctx, request, {
    ...decision,
    pending: authorizationRequest,
  });
  for (const [name, value] of headers) response.headers.append(name, value);
  return response;
}
