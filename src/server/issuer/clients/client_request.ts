import { readForm } from "../../http/incoming_request.ts";
import { isPublic } from "../../model/client.ts";
import { checkRepeatedParameters, type FormParameters } from "../../protocol/form_parameters.ts";
import { absent, ruleSet } from "../../protocol/rule.ts";
import { featuresOf } from "../active_features.ts";
import type { RequestContext } from "../context.ts";
import {
  type AssertionAudience,
  authenticateClient,
  type ClientRequest,
} from "./authenticate_client.ts";

/**
 * Parameters of the core that must never be in a URI, where logs and histories keep them (OAuth
 * 2.1, section 2.4.1).
 */
const secretsOfCore = [
  "client_secret",
  "client_assertion",
  "code",
  "code_verifier",
  "refresh_token",
  "token",
];

const about = { see: "OAuth 2.1, section 2.4.1", error: "invalid_request" } as const;

const uriRules = ruleSet("request", about, {
  no_secret_in_uri: {
    title: "A secret parameter must be in the body, never in the URI",
    ...absent,
    parameterIn: (secret: string | undefined) => secret,
    message: (secret) => `The parameter '${secret}' must be in the body, never in the URI.`,
  },
});

/** Reads the form of a request, and authenticates the client that sent it. */
export async function authenticateRequest(
  ctx: RequestContext,
  audience?: AssertionAudience,
): Promise<ClientRequest> {
  return await authenticateClient(ctx, await readClientForm(ctx), audience);
}

export async function readClientForm(ctx: RequestContext): Promise<FormParameters> {
  const hasQuery = ctx.request.url.includes("?");
  ctx.apply(uriRules.no_secret_in_uri, hasQuery ? findSecretInUri(ctx) : undefined);
  const parameters = await readForm(ctx);
  checkRepeatedParameters(ctx.apply, parameters, { known: featuresOf(ctx).parameters });
  return parameters;
}

/**
 * Returns the origin whose scripts may read the response although they sent credentials, as some
 * libraries always do. It is the origin of one of a public client's redirect URIs, which sees the
 * tokens anyway. With an Authorization header there is none: a browser with a cached password adds
 * that header on its own.
 */
export function scriptOriginOf({ request, client }: RequestContext): string | undefined {
  const origin = request.headers.get("Origin");
  if (origin === null || !client || !isPublic(client) || request.headers.has("Authorization")) {
    return undefined;
  }
  return client.redirectUris.some((uri) => webOriginOf(uri) === origin) ? origin : undefined;
}

function findSecretInUri(ctx: RequestContext): string | undefined {
  const { searchParams } = new URL(ctx.request.url);
  return [...secretsOfCore, ...featuresOf(ctx).secrets].find((name) => searchParams.has(name));
}

/**
 * A private scheme has no origin: the URL parser returns "null", like a browser for opaque origins.
 */
function webOriginOf(uri: string): string | undefined {
  return /^https?:/i.test(uri) ? new URL(uri).origin : undefined;
}
