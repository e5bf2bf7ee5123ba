import type { Client, ClientAuthenticationMethod } from "../../model/client.ts";
import {
  clientAssertionAlgorithms,
  clientAssertionJwtTypes,
  clientAssertionProblem,
} from "../../protocol/client_assertion.ts";
import { trustOf } from "../../protocol/client_trust.ts";
import { matchesHash } from "../../util/hash.ts";
import { type Context, endpointUrl } from "../context.ts";
import { verifyExternalJwt } from "../external/external_jwt.ts";
import { consumeAssertionOnce } from "../external/used_assertions.ts";
import { chargeSenderForStorage } from "../limits/stored_bytes.ts";
import { numericDate } from "../time.ts";

/** Says what is wrong with the proof of a client, or nothing. No client has the same work done for it, where that tells something. */
type VerifyClient = (
  ctx: Context,
  client: Client | undefined,
  proof: string,
  sender: string | undefined,
) => Promise<string | undefined>;

/** How each way to authenticate is verified (OAuth 2.1, section 2.4; RFC 7523, section 3). */
export const verifiers: Readonly<Record<ClientAuthenticationMethod, VerifyClient>> = {
  none: async () => undefined,
  client_secret_basic: verifySecret,
  client_secret_post: verifySecret,
  client_secret_jwt: verifyAssertion("client_secret_jwt"),
  private_key_jwt: verifyAssertion("private_key_jwt"),
};

/** Only a short secret can be guessed; limits on others would only help to keep the right ones out. */
async function verifySecret(
  ctx: Context,
  client: Client | undefined,
  secret: string,
  sender: string | undefined,
): Promise<string | undefined> {
  const compare = async () => await matchesHash(secret, client?.secretHash) || undefined;
  const isGuessable = client !== undefined && !client.hasLongSecret;
  const isRight = isGuessable
    ? await ctx.guessLimits.clientSecrets.check({ name: client.id, sender }, compare)
    : await compare();
  return isRight ? undefined : "wrong secret";
}

function verifyAssertion(method: ClientAuthenticationMethod): VerifyClient {
  return async (ctx, client, assertion, sender) => {
    if (!client) return "nobody's assertion";
    const offered = clientAssertionAlgorithms(method, ctx.settings.profile.algs);
    const algorithms = offered.filter((alg) => (client.authenticationAlg ?? alg) === alg);
    const verified = await verifyExternalJwt(ctx, client, assertion, {
      algorithms,
      types: clientAssertionJwtTypes,
      sender,
    });
    if ("problem" in verified) return verified.problem;
    return clientAssertionProblem(verified.claims, expectedAssertion(ctx, client)) ??
      await consumeClientAssertion(ctx, client, verified.claims, sender);
  };
}

function expectedAssertion(ctx: Context, client: Client) {
  const tokenEndpoint = client.assertionAudience === "token-endpoint"
    ? endpointUrl(ctx, "token_endpoint")
    : undefined;
  return { clientId: client.id, issuer: ctx.settings.issuer, tokenEndpoint, now: numericDate(ctx) };
}

/** The mark that an assertion was used is charged, unless the operator let the client in. */
async function consumeClientAssertion(
  ctx: Context,
  client: Client,
  claims: Readonly<Record<string, unknown>>,
  sender: string | undefined,
): Promise<string | undefined> {
  if (trustOf(client) === "untrusted") chargeSenderForStorage(ctx, sender, null);
  return await consumeAssertionOnce(ctx, { client: client.id }, claims)
    ? undefined
    : "its 'jti' was used before";
}
