import type { FormParameters } from "../../protocol/form_parameters.ts";
import { spelledAsIn } from "../../protocol/resource.ts";
import { type ApplyRule, requireValue } from "../../protocol/rule.ts";
import { parseScope } from "../../protocol/scope.ts";
import { ownMember } from "../../util/values/members.ts";
import type { IdJagConfig } from "./config.ts";
import { idJagRequestRules } from "./id_jag_request_rules.ts";
import { readSubjectToken, tokenTypePrefix } from "./token_exchange_request.ts";

/** The tokens that stand for a user who signed in. An access token does not. */
const subjectTypes: ReadonlyMap<string, IdJagSubject["type"]> = new Map([
  [`${tokenTypePrefix}id_token`, "id_token"],
  [`${tokenTypePrefix}refresh_token`, "refresh_token"],
]);

/** The token of the user for whom a client requests an ID-JAG. */
export interface IdJagSubject {
  token: string;
  type: "id_token" | "refresh_token";
}

export function readIdJagRequest(apply: ApplyRule, parameters: FormParameters) {
  const actor = [parameters.get("actor_token"), parameters.get("actor_token_type")];
  apply(idJagRequestRules.actor, { isPresent: actor.some((value) => value !== undefined) });
  apply(idJagRequestRules.details, parameters.get("authorization_details"));
  const { token, named } = readSubjectToken(apply, parameters);
  const types = { received: named, expected: [...subjectTypes.keys()] };
  const type = requireValue(
    apply,
    idJagRequestRules.subject_token_type,
    types,
    subjectTypes.get(named),
  );
  const audiences = parameters.all("audience");
  apply(idJagRequestRules.audience_once, audiences);
  const [audience = ""] = audiences;
  return {
    subject: { token, type },
    audience,
    resources: parameters.all("resource"),
    scope: parameters.get("scope"),
  };
}

/** Chooses the entry of a client that a request names. */
export function chooseEntry(
  apply: ApplyRule,
  entries: readonly IdJagConfig[],
  { audience, resources }: ReturnType<typeof readIdJagRequest>,
): IdJagConfig {
  const known = entries.map((each) => each.audience);
  apply(idJagRequestRules.audience, { received: audience, expected: known });
  const ofAudience = entries.filter((each) => each.audience === audience);
  const entry = findEntry(ofAudience, resources);
  const expected = ofAudience.map(({ resource }) => resource ?? "no resource");
  const targets = { entry, received: resources, expected };
  return requireValue(apply, idJagRequestRules.target, targets, entry);
}

/**
 * Returns the part of a requested scope that the policy leaves, and all of it without a request.
 */
export function grantedScope(
  apply: ApplyRule,
  entry: IdJagConfig,
  user: string,
  requested: string | undefined,
): string[] {
  const scopes = scopesOf(entry, user);
  const facts = { isAllowed: scopes !== undefined, entry, user };
  const allowed = requireValue(apply, idJagRequestRules.user, facts, scopes);
  const tokens = requested === undefined ? allowed : parseScope(apply, requested);
  const granted = tokens.filter((token) => allowed.includes(token));
  apply(idJagRequestRules.granted_scope, { granted, allowed });
  return granted;
}

/** Without a resource, the request names an entry only if the audience has no other. */
function findEntry(
  ofAudience: readonly IdJagConfig[],
  resources: readonly string[],
): IdJagConfig | undefined {
  const [requested, ...others] = resources;
  if (others.length > 0) return undefined;
  if (requested === undefined) return ofAudience.length === 1 ? ofAudience[0] : undefined;
  const known = ofAudience.flatMap(({ resource }) => resource ?? []);
  return ofAudience.find(({ resource }) => resource === spelledAsIn(known, requested));
}

function scopesOf({ scopes, users }: IdJagConfig, user: string): string[] | undefined {
  if (!users) return scopes;
  return ownMember(users, user)?.filter((token) => scopes.includes(token));
}
