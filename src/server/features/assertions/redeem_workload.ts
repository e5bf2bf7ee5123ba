import type { ProvenClient } from "../../grants/grant.ts";
import { OutboundError } from "../../http/outbound_fetch.ts";
import {
  type Context,
  endpointUrl,
  type RequestContext,
  serverPart,
} from "../../issuer/context.ts";
import {
  assertionMark,
  type ExternalJwtResult,
  verifyExternalJwt,
} from "../../issuer/external/external_jwt.ts";
import { fetchJson, type OutboundDependencies } from "../../issuer/outbound_requests.ts";
import { fromNow, numericDate } from "../../issuer/time.ts";
import type { AccessRights } from "../../model/access_token.ts";
import { clientAlgorithms } from "../../model/signing.ts";
import {
  narrowAccessRights,
  readRequestedAccess,
  type RequestedAccess,
} from "../../protocol/access_request.ts";
import type { FormParameters } from "../../protocol/form_parameters.ts";
import type { JwtClaims } from "../../protocol/jwt.ts";
import { spelledAsGranted } from "../../protocol/resource.ts";
import { requirePresent, requireValue } from "../../protocol/rule.ts";
import { readScope } from "../../protocol/scope.ts";
import { isObject } from "../../util/text/json.ts";
import { hour, minute } from "../../util/time/duration.ts";
import { assertionRules } from "./assertion_rules.ts";
import { peekBearerAssertion } from "./bearer_assertion.ts";
import { assertionIssuers, type WorkloadIssuerConfig, type WorkloadRuleConfig } from "./config.ts";
import { hasClaims, ruleEpoch, workloadClient, workloadSubject } from "./workload.ts";
import { workloadClaimRules, workloadRules } from "./workload_rules.ts";

/** The allowed `typ`. An ID-JAG or an access token is never the token of a workload. */
const types: ReadonlyArray<string | undefined> = [undefined, "JWT"];

/** Where an issuer publishes its keys, as its metadata says. */
interface KeySetUrl {
  /** Pending during the fetch, so that concurrent requests wait for one response. */
  url: Promise<string>;
  /** In milliseconds. A failure is remembered for a minute. */
  freshUntil: number;
}

/** Where the configured issuers publish their keys. */
const keySetUrls = serverPart(() => new Map<string, KeySetUrl>());

/**
 * Verifies the token that a platform gave to one of its workloads (RFC 7523, section 2.1, without a
 * client; MCP Workload Identity Federation). It names no user, and yields only an access token.
 */
export async function proveWorkload(
  ctx: RequestContext,
  parameters: FormParameters,
): Promise<ProvenClient> {
  const jwt = requirePresent(ctx.apply, assertionRules.present, parameters.get("assertion"));
  const { issuer, claims } = await verifyWorkload(ctx, jwt);
  const client = workloadClient(ctx.settings, workloadSubject(issuer.name, String(claims.sub)));
  ctx.note({ client: client.id });
  return {
    client,
    async redeem(jkt) {
      ctx.apply(workloadRules.key, { claims, jkt });
      const known = issuer.workloads.filter((rule) => hasClaims(claims, rule.claims));
      ctx.apply(workloadRules.known, { isKnown: known.length > 0 });
      const requested = readRequestedAccess(parameters, ctx.settings);
      const { rule, access } = workloadAccess(ctx, known, requested);
      return {
        client: { ...client, epoch: await ruleEpoch(issuer, rule) },
        entitlement: { ...access, accessTokenOnly: true },
        use: issuer.reusable ? undefined : {
          mark: assertionMark(ctx, { issuer: issuer.issuer }, claims),
          check: async (isFirst) => ctx.apply(workloadRules.unused, { isFirst }),
        },
      };
    },
  };
}

/** Verifies the token of a workload (RFC 7523, section 3). */
async function verifyWorkload(
  ctx: Context,
  jwt: string,
): Promise<{ issuer: WorkloadIssuerConfig; claims: JwtClaims }> {
  const unverified = peekBearerAssertion(jwt);
  const found = unverified &&
    assertionIssuers.of(ctx.settings).workloadIssuers.get(unverified.issuer);
  const isTrusted = found !== undefined;
  const facts = { isTrusted, issuer: unverified?.issuer };
  const issuer = requireValue(ctx.apply, workloadRules.issuer, facts, found);
  const { claims: signed, problem } = await verifySignature(ctx, issuer, jwt);
  const claims = requireValue(ctx.apply, workloadRules.signature, { problem }, signed);
  const { name, audience = endpointUrl(ctx, "token_endpoint"), reusable = false } = issuer;
  const presented = { claims, name, audience, isReusable: reusable, now: numericDate(ctx) };
  for (const rule of Object.values(workloadClaimRules)) ctx.apply(rule, presented);
  return { issuer, claims };
}

async function verifySignature(
  ctx: Context,
  { issuer, jwks, jwksUri }: WorkloadIssuerConfig,
  jwt: string,
): Promise<ExternalJwtResult> {
  const algorithms = clientAlgorithms(ctx.settings.profile.algs);
  try {
    const keys = jwks ? { jwks } : { jwksUri: jwksUri ?? await findKeySetUrl(ctx, issuer) };
    // Users, clients and workloads may trust the same name, but never share its keys.
    const signer = { ...keys, id: `workload ${issuer}`, trusted: true };
    return await verifyExternalJwt(ctx, signer, jwt, { algorithms, types });
  } catch (cause) {
    if (!(cause instanceof OutboundError)) throw cause;
    return { problem: "the keys for it could not be fetched" };
  }
}

/** Finds where an issuer publishes its keys (OpenID Connect Discovery, section 4). */
async function findKeySetUrl(ctx: Context, issuer: string): Promise<string> {
  const cached = keySetUrls(ctx).get(issuer);
  if (cached && cached.freshUntil > ctx.now()) return await cached.url;
  const fetched = { url: fetchKeySetUrl(ctx, issuer), freshUntil: fromNow(ctx, 1 * minute) };
  keySetUrls(ctx).set(issuer, fetched);
  const url = await fetched.url;
  fetched.freshUntil = fromNow(ctx, 1 * hour);
  return url;
}

async function fetchKeySetUrl(ctx: OutboundDependencies, issuer: string): Promise<string> {
  const { document } = await fetchJson(ctx, {
    purpose: "issuer metadata",
    url: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
    trusted: true,
  });
  const { issuer: named, jwks_uri: url } = isObject(document) ? document : {};
  if (named !== issuer) throw unusable("its metadata names another issuer");
  // An issuer that has https does not publish its keys without it.
  const isUsable = typeof url === "string" && URL.canParse(url) &&
    (url.startsWith("https:") || issuer.startsWith("http:"));
  if (!isUsable) throw unusable("its metadata has no 'jwks_uri' with https");
  return url;
}

function unusable(problem: string): OutboundError {
  return new OutboundError(problem, { isFinal: true, isAnswered: true });
}

/** Rules are not combined: the scopes of one are not for the resources of another. */
function workloadAccess(
  { apply, settings }: RequestContext,
  known: readonly WorkloadRuleConfig[],
  requested: RequestedAccess,
): { rule: WorkloadRuleConfig; access: AccessRights } {
  const resources = [...requested.resources, ...requested.audiences];
  const covering = known.filter((rule) =>
    resources.every((each) =>
      rule.resources.includes(spelledAsGranted(rule.resources, each, settings.resources))
    )
  );
  const facts = { isCovered: covering.length > 0, resources };
  const scopes = requested.scope?.split(" ") ?? [];
  const rule = requireValue(
    apply,
    workloadRules.resource,
    facts,
    covering.find((each) => scopes.every((token) => each.scopes.includes(token))) ?? covering[0],
  );
  const scope = readScope(apply, requested.scope, rule.scopes, rule.scopes);
  const allowed = { scope, resources: rule.resources, authorizationDetails: undefined };
  return { rule, access: narrowAccessRights(apply, requested, allowed, settings) };
}
