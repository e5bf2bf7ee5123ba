import { calculateJwkThumbprint } from "jose";
import type { Context } from "../../../server/issuer/context.ts";
import { randomSecret } from "../../../server/issuer/random.ts";
import { sha256 } from "../../../server/util/crypto/hash.ts";
import { signRequestObject } from "../../client_role/signed_proofs.ts";
import { demoPublicKey } from "../../demo/demo_keys.ts";
import { jsonOf } from "../../recording/exchange.ts";
import type { EvaluatedRefusal } from "./evaluation.ts";
import {
  accessMembers,
  type FlowMembers,
  type FlowPlan,
  postAsClient,
  usesDpop,
} from "./flow_plan.ts";

/** The parameters that the browser carries, or why the server refused the pushed request. */
export type CarriedRequest = { members: FlowMembers } | { refusal: EvaluatedRefusal | undefined };

/** Returns the authorization request of a plan, signed and pushed if its client must. */
export async function carriedRequest(
  plan: FlowPlan,
  redirectUri: string,
  codeVerifier: string,
): Promise<CarriedRequest> {
  const members = await authorizationMembers(plan, redirectUri, codeVerifier);
  const { dryRun: { server: { context } }, client: { known } } = plan;
  const carried: FlowMembers = known.requireSignedRequest
    ? [["client_id", known.id], ["request", await signedRequest(context, known.id, members)]]
    : members;
  if (!known.requirePar) return { members: carried };
  const endpoint = "pushed_authorization_request_endpoint" as const;
  const { response, refusal } = await postAsClient(plan, { endpoint, members: carried });
  const uri = jsonOf(response)?.request_uri;
  if (typeof uri !== "string") return { refusal };
  return { members: [["client_id", known.id], ["request_uri", uri]] };
}

/** A repeated parameter is a list (RFC 9101, section 4). */
function signedRequest(ctx: Context, clientId: string, members: FlowMembers): Promise<string> {
  const parameters = new URLSearchParams(members);
  const entries = [...new Set(parameters.keys())].map((name): [string, string | string[]] => {
    const [first = "", ...others] = parameters.getAll(name);
    return [name, others.length > 0 ? [first, ...others] : first];
  });
  return signRequestObject(ctx, clientId, Object.fromEntries(entries));
}

async function authorizationMembers(
  plan: FlowPlan,
  redirectUri: string,
  codeVerifier: string,
): Promise<FlowMembers> {
  const { dryRun: { server: { context } }, client: { known }, options } = plan;
  const { claims, acrValues, prompt } = options;
  const members: Array<[string, string | undefined]> = [
    ["response_type", "code"],
    ["client_id", known.id],
    ["redirect_uri", redirectUri],
    ["state", randomSecret(context)],
    ["nonce", randomSecret(context)],
    ["code_challenge", await sha256(codeVerifier)],
    ["code_challenge_method", "S256"],
    ["response_mode", known.responseModes.includes("query") ? undefined : known.responseModes[0]],
    ["prompt", prompt],
    ["acr_values", acrValues],
    ["claims", claims && JSON.stringify(claims)],
    ["dpop_jkt", usesDpop(plan) ? await calculateJwkThumbprint(demoPublicKey) : undefined],
    ...accessMembers(options),
  ];
  return members.filter((each): each is [string, string] => each[1] !== undefined);
}
