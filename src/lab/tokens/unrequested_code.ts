import { issueCode } from "../../server/issuer/authorizations/consented_request.ts";
import { beginConsent } from "../../server/issuer/authorizations/withdrawals.ts";
import { checkNoClientId } from "../../server/issuer/clients/clients.ts";
import type { Context } from "../../server/issuer/context.ts";
import type { Client } from "../../server/model/client.ts";
import type { User } from "../../server/model/user.ts";
import { readAuthorizationRequest } from "../../server/protocol/authorization_request.ts";
import { responseLocation } from "../../server/protocol/authorization_response.ts";
import { toParameters } from "../../server/protocol/form_parameters.ts";
import { readResponseTarget } from "../../server/protocol/response_target.ts";
import { newSession } from "./mint_parties.ts";

/**
 * Issues a code for the parameters of an authorization request that a user has just allowed. They
 * obey the rules of the authorization endpoint, which throw an `OAuthError`.
 */
export async function issueCodeWithoutRequest(
  ctx: Context,
  client: Client,
  user: User,
  members: Array<[name: string, value: string]>,
): Promise<{
  code: string;
  redirectUri: string;
  /** The URL at which the browser would bring the code to the client. */
  callback: string;
}> {
  const parameters = toParameters(members);
  const responseTarget = readResponseTarget(
    ctx.apply,
    parameters,
    client,
    ctx.hooks.vouchForRedirect,
  );
  const { apply, settings } = ctx;
  const pending = readAuthorizationRequest(apply, parameters, client, responseTarget, settings);
  await checkNoClientId(ctx, pending.resources);
  const given = await beginConsent(ctx, user, client);
  const signedIn = { session: newSession(ctx, user), user };
  const code = await issueCode(ctx, { client, pending, signedIn, given });
  const { redirectUri, state } = pending.responseTarget;
  const callback = responseLocation(
    { redirectUri, mode: "query" },
    { code, state, iss: settings.issuer },
  );
  return { code, redirectUri, callback };
}
