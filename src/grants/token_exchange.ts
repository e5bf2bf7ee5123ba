import type { Context } from "../issuer/context.ts";
import { type ExchangeableToken, findExchangeable } from "../issuer/tokens/exchangeable_tokens.ts";
import { lineOf } from "../issuer/tokens/token_ids.ts";
import type { AuthorizationDetail } from "../model/access_rights.ts";
import { type Client, isPublic, type TokenExchangePolicy } from "../model/client.ts";
import { detailsOfTypes, narrowAuthorizationDetails } from "../protocol/authorization_details.ts";
import { errorFactory, type OAuthError } from "../protocol/oauth_error.ts";
import { narrowTargets } from "../protocol/resource.ts";
import { narrowScope } from "../protocol/scope.ts";
import {
  addActor,
  checkMayAct,
  invalidTokenExchange,
  readTokenExchangeRequest,
  tokenExchangeGrant,
  type TokenParameter,
} from "../protocol/token_exchange_request.ts";
import type { Grant, TokenRequest } from "./grant.ts";

const section = "RFC 8693, section 2";
const unauthorizedClient = errorFactory("unauthorized_client", section);
const invalidScope = errorFactory("invalid_scope", section);

/** A client that was called with a token gets another one, to call on with (RFC 8693). It can only be worth less. */
export const tokenExchange: Grant = {
  type: tokenExchangeGrant,
  async redeem(ctx, request) {
    const { client, parameters } = request;
    const policy = policyOf(client);
    const asked = readTokenExchangeRequest(parameters);
    if (!(asked.actor ? policy.delegation : policy.impersonation)) {
      throw kindNotAllowed(asked.actor ? "delegation" : "impersonation");
    }
    const subject = await findExchangedToken(ctx, request, asked.subject);
    const actor = asked.actor && await findExchangedToken(ctx, request, asked.actor);
    checkSubject(policy, subject, client);
    checkLine(subject);
    checkMayAct(subject.claims.may_act, {
      iss: ctx.settings.issuer,
      sub: actor?.claims.sub ?? client.id,
      client_id: client.id,
    });
    const wanted = { resources: parameters.all("resource"), audiences: parameters.all("audience") };
    const entitlement = {
      scope: narrowScope(parameters.get("scope"), scopeOf(subject, client)),
      resources: narrowTargets(wanted, policy.audiences),
      authorizationDetails: narrowAuthorizationDetails(
        parameters.get("authorization_details"),
        detailsOf(subject, client),
      ),
      authorization: subject.authorization,
      exchanged: { ...subject.claims, act: addActor(subject.claims.act, actor?.claims.sub) },
      accessTokenOnly: true,
    };
    return { entitlement, responseMembers: { issued_token_type: asked.issuedType } };
  },
};

function policyOf(client: Client): TokenExchangePolicy {
  if (!isPublic(client) && client.tokenExchange) return client.tokenExchange;
  throw unauthorizedClient("Nothing allows this client to exchange tokens.");
}

function kindNotAllowed(kind: "impersonation" | "delegation"): OAuthError {
  const how = kind === "delegation" ? "with an actor_token" : "without an actor_token";
  return unauthorizedClient(`This client may not exchange tokens ${how}, which is ${kind}.`, {
    see: "RFC 8693, section 1.1",
  });
}

/** A token that stands, and that this client holds by right: it was issued to it, or it was called with it. */
async function findExchangedToken(
  ctx: Context,
  { client, jkt }: TokenRequest,
  presented: TokenParameter,
): Promise<ExchangeableToken> {
  const found = await findExchangeable(ctx, presented);
  if (found?.claims.cnf && found.claims.cnf.jkt !== jkt) throw unprovenToken(presented);
  if (found && isHeldByRight(found, client)) return found;
  const hint = found
    ? `It was issued to '${found.clientId}', for ${[found.claims.aud].flat().join(", ")}.`
    : "It is unknown, expired or revoked, or its type is another one.";
  throw invalidTokenExchange(
    `The ${presented.parameter} is unknown, expired, revoked, or not meant for this client.`,
    { hint },
  );
}

/** Otherwise an exchange would turn a bound token into one that is of use to whoever has it (CVE-2024-49755). */
function unprovenToken({ parameter }: TokenParameter): OAuthError {
  return invalidTokenExchange(
    `The ${parameter} is bound to a key: send a DPoP proof that was made with it.`,
  );
}

function isHeldByRight({ claims, clientId }: ExchangeableToken, client: Client): boolean {
  return clientId === client.id ||
    [claims.aud].flat().some((each) => each === client.id || client.resources.includes(each));
}

function checkSubject(
  { subjects }: TokenExchangePolicy,
  { clientId }: ExchangeableToken,
  client: Client,
): void {
  if (subjects === undefined || subjects.includes(clientId)) return;
  throw invalidTokenExchange(
    `The client '${client.id}' may not exchange tokens of the client that the subject_token was issued to.`,
  );
}

/** As long as a token stands, so must all that it was exchanged for: each generation makes it dearer to check. */
function checkLine({ claims }: ExchangeableToken): void {
  if (lineOf(claims.jti).length >= maxChainLength) {
    throw invalidTokenExchange(
      `The subject_token was exchanged ${maxChainLength - 1} times already.`,
    );
  }
}

const maxChainLength = 10;

/** What the subject's token allows, as far as this client may have it. Access that goes on while people are away is not handed on. */
function scopeOf({ scope }: ExchangeableToken, client: Client): string[] {
  const allowed = scope.filter((token) =>
    client.scopes.includes(token) && token !== "offline_access"
  );
  if (allowed.length > 0) return allowed;
  throw invalidScope("The subject_token allows nothing that this client may ask for.");
}

function detailsOf(
  { authorizationDetails }: ExchangeableToken,
  client: Client,
): AuthorizationDetail[] | undefined {
  return detailsOfTypes(authorizationDetails, client.authorizationDetailsTypes);
}
