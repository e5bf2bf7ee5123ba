import { type Client, withEachSecret } from "../../model/client.ts";
import type { ClientAuthenticationMethod } from "../../model/client_config.ts";
import {
  clientAssertionAlgorithms,
  clientAssertionJwtTypes,
  clientAssertionProblem,
  type ExpectedClientAssertion,
} from "../../protocol/client_assertion.ts";
import {
  type ClientCredentials,
  readClientCredentials,
} from "../../protocol/client_authentication.ts";
import { clientIsAuthenticated } from "../../protocol/client_authentication_rules.ts";
import { trustOf } from "../../protocol/client_trust.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { requireValue } from "../../protocol/rule.ts";
import { matchesHash } from "../../util/hash.ts";
import { type Context, endpointUrl } from "../context.ts";
import { consumeAssertionOnce, verifyExternalJwt } from "../external/external_jwt.ts";
import { chargeSenderForStorage } from "../limits/stored_bytes.ts";
import { numericDate } from "../time.ts";
import { lookUpClient } from "./clients.ts";

/** A correct secret that is refused: libraries that don't encode secrets work with most of them. */
const unencodedSecret =
  "the secret is correct but not form-encoded: in HTTP Basic, send '+' as %2B and '%' as %25";

/** What a client presents to prove its identity. */
interface ClientProof {
  /** A secret or an assertion. */
  proof: string;
  /** The secret before its form decoding. */
  undecoded: string | undefined;
  sender: string | undefined;
}

/**
 * Returns why a client is not authenticated, or undefined. An unknown client costs the same work
 * where the time could reveal whether it exists.
 */
type VerifyClient = (
  ctx: Context,
  client: Client | undefined,
  presented: ClientProof,
) => Promise<string | undefined>;

/** Verifies each authentication method (OAuth 2.1, section 2.4; RFC 7523, section 3). */
const verifiers: Readonly<Record<ClientAuthenticationMethod, VerifyClient>> = {
  none: async () => undefined,
  client_secret_basic: verifySecret,
  client_secret_post: verifySecret,
  client_secret_jwt: verifyAssertion("client_secret_jwt"),
  private_key_jwt: verifyAssertion("private_key_jwt"),
};

/**
 * Authenticates the client by one of the methods that it is registered for (OAuth 2.1, section
 * 2.4).
 */
export async function authenticateClient(
  ctx: Context,
  request: Request,
  parameters: FormParameters,
): Promise<Client> {
  const authorization = request.headers.get("Authorization");
  const credentials = readClientCredentials(ctx.apply, authorization, parameters);
  const client = await lookUpClient(ctx, request, credentials.clientId);
  const sender = ctx.addressOf(request);
  const { verified, reason } = await verifyCredentials(ctx, sender, credentials, client);
  if (reason !== undefined) {
    ctx.emit({ type: "client.refused", client: client?.id ?? "unknown", reason });
  }
  const allowed = client?.authentication ?? [];
  const facts = { allowed, used: credentials.method, problem: reason };
  return requireValue(ctx.apply, clientIsAuthenticated, facts, verified);
}

/** The client with the secret that it used, or why it is not authenticated. */
type VerifiedCredentials =
  | { verified: Client; reason?: undefined }
  | { verified?: undefined; reason: string };

/**
 * Tries each secret of a client. What is issued now is signed with the one that it used: it may not
 * know the other one yet.
 */
async function verifyCredentials(
  ctx: Context,
  sender: string | undefined,
  credentials: ClientCredentials,
  client: Client | undefined,
): Promise<VerifiedCredentials> {
  let reason = "unknown client";
  for (const candidate of client ? withEachSecret(client) : [undefined]) {
    const problem = await authenticationProblem(ctx, sender, credentials, candidate);
    if (candidate && problem === undefined) return { verified: candidate };
    reason = problem ?? reason;
  }
  return { reason };
}

/** Does the same work for an unknown client: the time must not reveal which clients exist. */
async function authenticationProblem(
  ctx: Context,
  sender: string | undefined,
  { method, proof, undecoded }: ClientCredentials,
  client: Client | undefined,
): Promise<string | undefined> {
  const mayUse = client?.authentication.includes(method);
  const verifiable = mayUse ? client : undefined;
  const problem = await verifiers[method](ctx, verifiable, { proof, undecoded, sender });
  if (!client) return "unknown client";
  return mayUse ? problem : `sent ${method}, may use ${client.authentication.join(", ")}`;
}

/** Only short secrets can be guessed. Limits on long ones would only help to lock clients out. */
async function verifySecret(
  ctx: Context,
  client: Client | undefined,
  { proof: secret, undecoded = secret, sender }: ClientProof,
): Promise<string | undefined> {
  const compare = async () => await matchesHash(secret, client?.secretHash) || undefined;
  const isGuessable = client !== undefined && !client.hasLongSecret;
  const isRight = isGuessable
    ? await ctx.guessLimits.clientSecrets.check({ name: client.id, sender }, compare)
    : await compare();
  if (isRight) return undefined;
  const isUnencoded = undecoded !== secret && await matchesHash(undecoded, client?.secretHash);
  return isUnencoded ? unencodedSecret : "wrong secret";
}

function verifyAssertion(method: ClientAuthenticationMethod): VerifyClient {
  return async (ctx, client, { proof: assertion, sender }) => {
    if (!client) return "assertion of an unknown client";
    const supported = clientAssertionAlgorithms(method, ctx.settings.profile.algs);
    const algorithms = supported.filter((alg) => (client.authenticationAlg ?? alg) === alg);
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

function expectedAssertion(ctx: Context, client: Client): ExpectedClientAssertion {
  const tokenEndpoint = client.assertionAudience === "token-endpoint"
    ? endpointUrl(ctx, "token_endpoint")
    : undefined;
  return { clientId: client.id, issuer: ctx.settings.issuer, tokenEndpoint, now: numericDate(ctx) };
}

/** The mark that an assertion was used takes up storage, which untrusted clients pay for. */
async function consumeClientAssertion(
  ctx: Context,
  client: Client,
  claims: JwtClaims,
  sender: string | undefined,
): Promise<string | undefined> {
  if (trustOf(client) === "untrusted") chargeSenderForStorage(ctx, sender, null);
  return await consumeAssertionOnce(ctx, { client: client.id }, claims)
    ? undefined
    : "its 'jti' was used before";
}
