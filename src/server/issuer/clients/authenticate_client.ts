import { readForm } from "../../http/incoming_request.ts";
import type { Client, ClientSecret } from "../../model/client.ts";
import { type ClientAuthenticationMethod, isCertificateMethod } from "../../model/client_config.ts";
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
import { clientRules, wrongSecret } from "../../protocol/client_rules.ts";
import { trustOf } from "../../protocol/client_trust.ts";
import { checkRepeatedParameters, type FormParameters } from "../../protocol/form_parameters.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { absent, requireValue, ruleSet } from "../../protocol/rule.ts";
import { equalInConstantTime, impossibleHash, sha256 } from "../../util/crypto/hash.ts";
import { featuresOf } from "../active_features.ts";
import { aliasesOf, type Context, endpointUrl, type RequestContext } from "../context.ts";
import { assertionMark, verifyExternalJwt } from "../external/external_jwt.ts";
import { chargeForStorage } from "../limits/budget.ts";
import { numericDate } from "../time.ts";
import { lookUpClient, namedClient } from "./clients.ts";

/** A correct secret that is refused: libraries that don't encode secrets work with most of them. */
const unencodedSecret =
  "the secret is correct but not form-encoded: in HTTP Basic, send '+' as %2B and '%' as %25";

/** The secret of a client that has none: no text matches it, after the same time. */
const noSecret: ClientSecret = { hash: impossibleHash, isLong: true };

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

/** A request of an authenticated client, at an endpoint for clients. */
export interface ClientRequest {
  client: Client;
  /** The secret that the client used; undefined if it has none, or used a key. */
  secret?: ClientSecret | undefined;
  parameters: FormParameters;
}

/** The secret that a client used, if it used one, or why it is not authenticated. */
type Verification =
  | { secret?: ClientSecret | undefined; problem?: undefined }
  | { secret?: undefined; problem: string };

/** Which audiences an assertion may name: the issuer alone, or endpoints too. */
type AssertionAudience = Client["assertionAudience"];

/** Verifies what a client presents. An unknown client costs the same work. */
type VerifyClient = (
  ctx: RequestContext,
  client: Client | undefined,
  credentials: ClientCredentials,
  audience: AssertionAudience,
) => Verification | Promise<Verification>;

/** Verifies each authentication method (OAuth 2.1, section 2.4; RFC 7523, section 3). */
const verifiers: Readonly<Record<ClientAuthenticationMethod, VerifyClient>> = {
  none: () => ({}),
  client_secret_basic: verifySecret,
  client_secret_post: verifySecret,
  client_secret_jwt: verifyAssertion("client_secret_jwt"),
  private_key_jwt: verifyAssertion("private_key_jwt"),
  tls_client_auth: verifyCertificate,
  self_signed_tls_client_auth: verifyCertificate,
};

/** Reads the form of a request, and authenticates the client that sent it. */
export async function authenticateRequest(
  ctx: RequestContext,
  audience?: AssertionAudience,
): Promise<ClientRequest> {
  return await authenticateClient(ctx, await readClientForm(ctx), audience);
}

export async function readClientForm(ctx: RequestContext): Promise<FormParameters> {
  const { url } = ctx.request;
  const inUri = url.includes("?") ? new URL(url).searchParams : undefined;
  const secret = inUri &&
    [...secretsOfCore, ...featuresOf(ctx).secrets].find((name) => inUri.has(name));
  ctx.apply(uriRules.no_secret_in_uri, secret);
  const parameters = await readForm(ctx);
  checkRepeatedParameters(ctx.apply, parameters, { known: featuresOf(ctx).parameters });
  return parameters;
}

/**
 * Authenticates the client that sent a form, by one of the methods that it is registered for (OAuth
 * 2.1, section 2.4). An endpoint may accept further audiences of assertions.
 */
export async function authenticateClient(
  ctx: RequestContext,
  parameters: FormParameters,
  audience: AssertionAudience = "issuer",
): Promise<ClientRequest> {
  const authorization = ctx.request.headers.get("Authorization");
  const sent = readClientCredentials(ctx.apply, authorization, parameters);
  const client = await lookUpClient(ctx, sent.clientId);
  const credentials = client ? provedByConnection(sent, client) : sent;
  // Credentials cost the same work if their client is unknown, or may not use their method: the time
  // must not reveal which clients exist.
  const wrongMethod = methodProblem(credentials, client);
  const verifiable = wrongMethod === undefined ? client : undefined;
  const verified = await verifiers[credentials.method](ctx, verifiable, credentials, audience);
  const problem = wrongMethod ?? verified.problem;
  if (problem !== undefined) {
    ctx.emit({ type: "client.refused", client: client?.id ?? "unknown", reason: problem });
  }
  const { clientId, method: used, proof } = credentials;
  const facts = { ...namedClient(ctx, clientId, client), used, proof, problem };
  ctx.apply(clientRules.no_secret, facts);
  const authenticated = problem === undefined ? client : undefined;
  ctx.client = requireValue(ctx.apply, clientRules.authenticated, facts, authenticated);
  return { client: ctx.client, secret: verified.secret, parameters };
}

/**
 * The credentials of a client that authenticates with a certificate are those of its connection:
 * the request has only its `client_id` (RFC 8705, section 2).
 */
function provedByConnection(
  sent: ClientCredentials,
  { authentication }: Client,
): ClientCredentials {
  if (sent.method !== "none" || authentication.includes("none")) return sent;
  const method = authentication.find(isCertificateMethod);
  return method ? { ...sent, method } : sent;
}

/** Returns why a client may not authenticate by the method of its credentials. */
function methodProblem(
  { method }: ClientCredentials,
  client: Client | undefined,
): string | undefined {
  if (!client) return "unknown client";
  if (client.authentication.includes(method)) return undefined;
  return `sent ${method}, may use ${client.authentication.join(", ")}`;
}

/** Only short secrets can be guessed. Limits on long ones would only help to lock clients out. */
async function verifySecret(
  ctx: Context,
  client: Client | undefined,
  { proof, undecoded = proof }: ClientCredentials,
): Promise<Verification> {
  const secrets = client?.secrets.length ? client.secrets : [noSecret];
  const hash = await sha256(proof);
  const long = findSecret(secrets.filter(({ isLong }) => isLong), hash);
  if (long) return { secret: long };
  const guessable = secrets.filter(({ isLong }) => !isLong);
  const compare = async () => findSecret(guessable, hash);
  const secret = client && guessable.length > 0
    ? await ctx.limits.clientSecrets.check({ name: client.id, sender: ctx.sender }, compare)
    : undefined;
  if (secret) return { secret };
  const isUnencoded = undecoded !== proof && findSecret(secrets, await sha256(undecoded));
  return { problem: isUnencoded ? unencodedSecret : wrongSecret };
}

/** Finds the secret with a hash. A client has at most two, and each comparison takes as long. */
function findSecret(secrets: readonly ClientSecret[], hash: string): ClientSecret | undefined {
  return secrets.find((secret) => equalInConstantTime(secret.hash, hash));
}

function verifyAssertion(method: ClientAuthenticationMethod): VerifyClient {
  return async (ctx, client, { proof: assertion }, audience) => {
    if (!client) return { problem: "assertion of an unknown client" };
    const supported = clientAssertionAlgorithms(method, ctx.settings.profile.algs);
    const algorithms = supported.filter((alg) => (client.authenticationAlg ?? alg) === alg);
    const verified = await verifyExternalJwt(ctx, client, assertion, {
      algorithms,
      types: clientAssertionJwtTypes,
    });
    if (!verified.claims) return verified;
    const { claims, secret } = verified;
    const problem = ctx.hooks.assertionProblem
      ? await ctx.hooks.assertionProblem(claims, numericDate(ctx))
      : clientAssertionProblem(claims, expectedAssertion(ctx, client, audience)) ??
        await consumeClientAssertion(ctx, client, claims);
    return problem === undefined ? { secret } : { problem };
  };
}

/** Without a feature that reads certificates, none authenticates a client. */
async function verifyCertificate(
  ctx: RequestContext,
  client: Client | undefined,
  { method }: ClientCredentials,
): Promise<Verification> {
  const { connectionProof } = featuresOf(ctx);
  if (!client || !connectionProof) return { problem: "this server reads no certificates" };
  const problem = await connectionProof.problemOf(ctx, client, method);
  return problem === undefined ? {} : { problem };
}

function expectedAssertion(
  ctx: RequestContext,
  { id, assertionAudience }: Client,
  audience: AssertionAudience,
): ExpectedClientAssertion {
  const expected = { clientId: id, issuer: ctx.settings.issuer, now: numericDate(ctx) };
  if ([assertionAudience, audience].every((each) => each === "issuer")) return expected;
  const { sentTo = [] } = ctx.request;
  const endpoints = [endpointUrl(ctx, "token_endpoint"), ctx.request.url];
  return { ...expected, endpoints: endpoints.flatMap((url) => aliasesOf(ctx, url)).concat(sentTo) };
}

/** The mark that an assertion was used takes up storage, which untrusted clients pay for. */
async function consumeClientAssertion(
  ctx: Context,
  client: Client,
  claims: JwtClaims,
): Promise<string | undefined> {
  if (trustOf(client) === "untrusted") chargeForStorage(ctx, null);
  const [isFirst] = await ctx.records.batch(assertionMark(ctx, { client: client.id }, claims));
  return isFirst ? undefined : "its 'jti' was used before";
}
