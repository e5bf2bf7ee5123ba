import type { AuthorizationRequest } from "../../protocol/authorization_request.ts";
import type { KnownAs } from "../../protocol/personal_request.ts";
import { readAuthorizationRequest } from "../../protocol/authorization_request.ts";
import { readClientId, readReplyTo } from "../../protocol/addressing.ts";
import type { Client } from "../../protocol/client.ts";
import { OAuthError } from "../../protocol/oauth_error.ts";
import type { Parameters } from "../../protocol/parameters.ts";
import { replyingTo } from "../../protocol/redirected_error.ts";
import type { ReplyTo } from "../../protocol/reply.ts";
import { checkDelivery, handleIn } from "../../protocol/request_delivery.ts";
import { lookUpClient } from "../clients/clients.ts";
import type { Context } from "../context.ts";
import { readIdTokenHint } from "./id_token_hint.ts";
import { findPushed } from "./pushed_requests.ts";
import type { Said } from "./request_objects.ts";
import { openRequest } from "./request_objects.ts";

/** A request that is in order, and where it was kept if it was pushed before. */
export interface Taken {
  asked: AuthorizationRequest;
  pushed?: string;
}

/**
 * Takes what a browser brings to the authorization endpoint: the parameters themselves, a request object that holds them,
 * or the name of a request that was pushed. Who asks, and where the answer goes, is checked before anything else: until then
 * nothing may be redirected.
 */
export async function takeRequest(ctx: Context, request: Request, parameters: Parameters): Promise<Taken> {
  const clientId = readClientId(parameters);
  const client = await lookUpClient(ctx, request, clientId);
  if (!client) throw refuseUnknown(ctx, clientId);
  const handle = handleIn(parameters.get("request_uri"));
  if (handle !== undefined) return await findPushed(ctx, client, handle);
  const said = await openRequest(ctx, client, parameters, ctx.senderOf(request));
  const replyTo = readReplyTo(said.parameters, client);
  return await replyingTo(replyTo, async () => {
    checkDelivery(client, { signed: said.signed, pushed: false });
    return { asked: await readAll(ctx, client, said, replyTo) };
  });
}

function refuseUnknown(ctx: Context, clientId: string): OAuthError {
  const problem = ctx.documents.problemOf(clientId);
  return new OAuthError("invalid_request", "The client_id is not known here.", {
    see: "OAuth 2.1, section 4.1.2.1",
    hint: problem && `Its metadata document cannot be used: ${problem}`,
  });
}

/** Reads a request that its client sends itself. There is no browser, so every refusal is the client's to read. */
export async function takePushedRequest(
  ctx: Context,
  client: Client,
  parameters: Parameters,
  sender?: string,
): Promise<AuthorizationRequest> {
  if (parameters.get("request_uri") !== undefined) {
    throw new OAuthError("invalid_request", "A request that is pushed has no request_uri of its own.", { see: "RFC 9126, section 2.1" });
  }
  const said = await openRequest(ctx, client, parameters, sender);
  checkDelivery(client, { signed: said.signed, pushed: true });
  return await readAll(ctx, client, said, readReplyTo(said.parameters, client));
}

async function readAll(ctx: Context, client: Client, { parameters }: Said, replyTo: ReplyTo): Promise<AuthorizationRequest> {
  return {
    ...readAuthorizationRequest(parameters, client, replyTo, ctx.settings),
    hint: await readHint(ctx, parameters.get("id_token_hint")),
  };
}

async function readHint(ctx: Context, text: string | undefined): Promise<KnownAs | undefined> {
  if (text === undefined) return undefined;
  const hint = await readIdTokenHint(ctx, text);
  if (hint) return { subject: hint.subject, clientId: hint.clientId };
  throw new OAuthError("invalid_request", "The id_token_hint is not an ID token that this server issued.", {
    see: "OpenID Connect Core, section 3.1.2.1",
  });
}
