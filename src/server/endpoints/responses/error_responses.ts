import type { RouteKind } from "../../config/route_config.ts";
import { errorHeaders, errorResponse, redirectResponse } from "../../http/response.ts";
import type { ResponseData } from "../../http/response_data.ts";
import { featuresOf } from "../../issuer/active_features.ts";
import { findClient } from "../../issuer/clients/clients.ts";
import type { Context, RequestContext } from "../../issuer/context.ts";
import { signJwt } from "../../issuer/keys/own_jwt.ts";
import { findSession } from "../../issuer/sessions/sessions.ts";
import { numericDate } from "../../issuer/time.ts";
import type { ErrorContinuation } from "../../pages/error.tsx";
import type { ErrorKind } from "../../pages/languages/en.ts";
import {
  type RedirectedError,
  responseLocation,
  type ResponseParameters,
} from "../../protocol/authorization_response.ts";
import { mayRedirectError } from "../../protocol/client_trust.ts";
import { errorBody, type ErrorHelp, type OAuthError } from "../../protocol/oauth_error.ts";
import { describeReceiver } from "../../protocol/redirect_uri.ts";
import type { ResponseSigning, ResponseTarget } from "../../protocol/response_target.ts";
import { minute } from "../../util/time/duration.ts";
import {
  authorizationPageResponse,
  describeUser,
  frameProps,
  pageResponse,
} from "./page_response.ts";

/** How long a signed response is valid, in seconds. */
const lifetime = 10 * minute;

const kindByStatus: Readonly<Record<number, ErrorKind>> = {
  403: "denied",
  404: "notFound",
  405: "wrongMethod",
  429: "tooMany",
  503: "unavailable",
};

/** Makes an authorization response. Its `iss` prevents mix-up attacks (RFC 9207). */
export async function authorizationResponse(
  ctx: RequestContext,
  target: ResponseTarget,
  parameters: ResponseParameters,
): Promise<ResponseData> {
  const members = await completeParameters(ctx, target, parameters);
  if (target.mode !== "form_post") {
    return redirectResponse(responseLocation(target, members));
  }
  const { redirectUri } = target;
  const page = ctx.settings.pages.formPost({ ...await frameProps(ctx), redirectUri, members });
  return await authorizationPageResponse(page);
}

/**
 * Sends an error to the client: by redirect where that is safe, else through a link on our page.
 */
export async function authorizationErrorResponse(
  ctx: RequestContext,
  { responseTarget: target, responseWasSent }: RedirectedError,
  error: OAuthError,
): Promise<ResponseData> {
  const { frontChannelUrl, errorsAfterSignIn } = ctx.settings;
  // If the store fails, our page shows the error, and needs no session.
  const signedIn = errorsAfterSignIn &&
    await findSession(ctx).catch(() => undefined) !== undefined;
  const conditions = { signedIn, onlyAfterSignIn: errorsAfterSignIn };
  const isForUser = error.details.deniedClient !== undefined && !target.hasPromptNone;
  if (!isForUser && !responseWasSent && mayRedirectError(target, conditions)) {
    const members = errorBody(error, errorHelp(ctx, frontChannelUrl));
    return await authorizationResponse(ctx, target, members);
  }
  const continuation = await continuationOf(ctx, target, error);
  return await errorPageResponse(ctx, error, { ...continuation, responseWasSent });
}

async function continuationOf(
  ctx: RequestContext,
  target: ResponseTarget,
  error: OAuthError,
): Promise<ErrorContinuation> {
  const { uri } = errorHelp(ctx, ctx.settings.frontChannelUrl);
  const members = await completeParameters(ctx, target, errorBody(error, { uri }));
  const receiver = describeReceiver(target.redirectUri);
  if (target.mode === "form_post") return { receiver, action: target.redirectUri, members };
  return { receiver, href: responseLocation(target, members) };
}

/**
 * Adds what every authorization response contains, and signs it if the client asked for that (JARM,
 * section 2.1).
 */
async function completeParameters(
  ctx: Context,
  { state, signing }: ResponseTarget,
  parameters: ResponseParameters,
): Promise<ResponseParameters> {
  const complete = { ...parameters, state, iss: ctx.settings.issuer };
  return signing ? { response: await signResponse(ctx, complete, signing) } : complete;
}

/**
 * Signs an authorization response as a JWT, so that it cannot be changed on its way (JARM, section
 * 2.1), and puts it into the envelope that its client demands.
 */
async function signResponse(
  ctx: Context,
  parameters: ResponseParameters,
  { audience, alg = ctx.settings.idTokenAlg }: ResponseSigning,
): Promise<string> {
  const iat = numericDate(ctx);
  const claims = { ...parameters, aud: audience, iat, exp: iat + lifetime };
  const jwt = await signJwt(ctx, alg, "JWT", claims);
  const { envelope } = featuresOf(ctx);
  const client = envelope && await findClient(ctx, audience);
  if (!envelope || !client) return jwt;
  return await envelope.seal(ctx, client, "authorizationResponse", () => jwt) ?? jwt;
}

/** Makes the response to an error: a page for users, JSON for programs. */
export async function errorResponseFor(
  ctx: RequestContext,
  error: OAuthError,
  kind: RouteKind,
): Promise<ResponseData> {
  const { issuer, backChannelUrl } = ctx.settings;
  if (kind === "page") return await errorPageResponse(ctx, error);
  return errorResponse(error, issuer, errorHelp(ctx, backChannelUrl));
}

/** Returns what is added to an error for a client that reaches the server at an address. */
export function errorHelp(
  { settings, hooks: { flowPage } }: RequestContext,
  address: string,
): ErrorHelp {
  const isLinked = flowPage?.inErrors ?? false;
  const url = isLinked ? flowPage?.url() : undefined;
  return {
    showsHint: settings.hints,
    explainsChallenges: isLinked,
    uri: url === undefined ? undefined : new URL(url, address).href,
  };
}

/** Makes an error page, with a link to the application if it can be notified. */
export async function errorPageResponse(
  ctx: RequestContext,
  error: OAuthError,
  continuation?: ErrorContinuation,
): Promise<ResponseData> {
  const { issuer, hints, pages } = ctx.settings;
  const { code, message: description, fix } = error;
  const { see, received, expected, deniedClient } = error.details;
  const denied = deniedClient === undefined ? undefined : await findSession(ctx);
  const page = pages.error({
    ...await frameProps(ctx),
    kind: errorKind(error),
    retryAfter: retryAfter(error),
    clientName: deniedClient,
    user: denied && describeUser(denied.user),
    error: code,
    description,
    ...hints && { received, expected, fix },
    see,
    continuation,
    requestId: ctx.requestId,
    flowUrl: ctx.hooks.flowPage?.url(),
  });
  return await pageResponse(page, error.status, errorHeaders(error, issuer), {
    keepsOpener: continuation !== undefined,
  });
}

/** Returns what the page of an error is about, for a user. */
export function errorKind({ status, details }: OAuthError): ErrorKind {
  if (details.deniedClient !== undefined) return "notMember";
  if (details.isExpired) return "expired";
  if (details.isReplaced) return "replaced";
  return kindByStatus[status] ?? (status >= 500 ? "serverError" : "badRequest");
}

/** Returns how many seconds to wait, if the error has that (RFC 9110, section 10.2.3). */
export function retryAfter({ details: { headers } }: OAuthError): number | undefined {
  const seconds = headers?.["Retry-After"];
  return seconds === undefined ? undefined : Number(seconds);
}
