import type { Client, ClientAuthenticationMethod } from "../../protocol/client.ts";
import { assertionAlgorithms, assertionProblem, assertionTypes } from "../../protocol/client_assertion.ts";
import { hasHash } from "../../protocol/digest.ts";
import { verifyForeignJwt } from "../foreign/foreign_jwt.ts";
import { spendAssertion } from "../foreign/spend_assertion.ts";
import type { Context } from "../context.ts";
import { endpointUrl } from "../context.ts";
import { numericDate } from "../time.ts";

/** Says what is wrong with the proof of a client, or nothing. No client has the same work done for it, where that tells something. */
type Verify = (ctx: Context, client: Client | undefined, proof: string, sender: string | undefined) => Promise<string | undefined>;

/** How each way to authenticate is verified (OAuth 2.1, section 2.4; RFC 7523, section 3). */
export const verifiers: Readonly<Record<ClientAuthenticationMethod, Verify>> = {
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
  const compare = async () => await hasHash(secret, client?.secretHash) || undefined;
  const isGuessable = client !== undefined && !client.hasLongSecret;
  const isRight = isGuessable ? await ctx.guessLimits.clientSecrets.check({ name: client.id, sender }, compare) : await compare();
  return isRight ? undefined : "wrong secret";
}

function verifyAssertion(method: ClientAuthenticationMethod): Verify {
  return async (ctx, client, assertion, sender) => {
    if (!client) return "nobody's assertion";
    const offered = assertionAlgorithms(method, ctx.settings.profile.algs);
    const algorithms = offered.filter((alg) => (client.authenticationAlg ?? alg) === alg);
    const verified = await verifyForeignJwt(ctx, client, assertion, { algorithms, types: assertionTypes, sender });
    if ("problem" in verified) return verified.problem;
    return assertionProblem(verified.claims, ruleFor(ctx, client)) ?? await spend(ctx, client, verified.claims);
  };
}

function ruleFor(ctx: Context, client: Client) {
  const tokenEndpoint = client.assertionAudience === "token-endpoint" ? endpointUrl(ctx, "token_endpoint") : undefined;
  return { clientId: client.id, issuer: ctx.settings.issuer, tokenEndpoint, now: numericDate(ctx) };
}

async function spend(ctx: Context, { id }: Client, claims: Readonly<Record<string, unknown>>): Promise<string | undefined> {
  return await spendAssertion(ctx, { client: id }, claims) ? undefined : "its 'jti' was used before";
}
