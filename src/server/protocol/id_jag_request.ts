import type { IdJagConfig } from "../model/id_jag_config.ts";
import type { FormParameters } from "./form_parameters.ts";
import { spelledAsIn } from "./resource.ts";
import { type ApplyRule, requireValue, type Rule } from "./rule.ts";
import { readSubjectToken } from "./token_exchange_request.ts";

const about = {
  see: "Identity Assertion JWT Authorization Grant, section 4.3",
  error: "invalid_request",
} as const;

const prefix = "urn:ietf:params:oauth:token-type:";

/** The tokens that stand for a user who signed in. An access token does not. */
const subjectTypes: ReadonlyMap<string, IdJagSubject["type"]> = new Map([
  [`${prefix}id_token`, "id_token"],
  [`${prefix}refresh_token`, "refresh_token"],
]);

/** The token of the user for whom a client requests an ID-JAG. */
export interface IdJagSubject {
  token: string;
  type: "id_token" | "refresh_token";
}

/** A request for an ID-JAG. */
export interface IdJagRequest {
  subject: IdJagSubject;
  audience: string;
  resources: readonly string[];
  scope: string | undefined;
}

/**
 * The draft leaves it to others what an actor means; ignoring one would pass for the user alone.
 */
const actorIsAbsent: Rule<{ isPresent: boolean }> = {
  ...about,
  id: "id_jag.actor",
  title: "The request for an ID-JAG has no actor_token",
  see: "RFC 8693, section 2.2.2",
  parameter: "actor_token",
  message: "This server issues no ID-JAG for an actor. The request must have no actor_token.",
  advice: "Omit the actor_token and its type.",
  holds: ({ isPresent }) => !isPresent,
};

const detailsAreAbsent: Rule<string | undefined> = {
  ...about,
  id: "id_jag.details",
  title: "The request for an ID-JAG has no authorization_details",
  parameter: "authorization_details",
  error: "invalid_authorization_details",
  message: "This server issues no ID-JAG with authorization_details.",
  advice: "Request scopes instead.",
  holds: (details) => details === undefined,
};

const subjectTypeIsSupported: Rule<string> = {
  ...about,
  id: "id_jag.subject_token_type",
  title: "An ID-JAG is requested with an ID token or a refresh token",
  parameter: "subject_token_type",
  message: `For an ID-JAG, the subject_token_type must be one of: ${
    [...subjectTypes.keys()].join(", ")
  }.`,
  advice: "Present the ID token of the user, or the refresh token.",
  holds: (type) => subjectTypes.has(type),
  expected: () => [...subjectTypes.keys()].join(" or "),
  came: (type) => type,
};

const audienceIsNamedOnce: Rule<readonly string[]> = {
  ...about,
  id: "id_jag.audience_once",
  title: "The request for an ID-JAG names one audience",
  parameter: "audience",
  message: "The request for an ID-JAG must have the parameter 'audience' once.",
  advice: "Send the issuer of the server that will redeem the ID-JAG as the audience.",
  holds: (audiences) => audiences.length === 1,
  came: (audiences) => audiences.join(" ") || "no audience",
};

/** The entries of a client, and what a request chooses among them. */
interface IdJagChoice {
  entries: readonly IdJagConfig[];
  audience: string;
  resources: readonly string[];
}

const audienceIsConfigured: Rule<IdJagChoice> = {
  ...about,
  id: "id_jag.audience",
  title: "The client may get an ID-JAG for this audience",
  parameter: "audience",
  error: "invalid_target",
  message: "This client may not get an ID-JAG for this audience.",
  advice: "Add the audience to the setting 'idJag' of the client.",
  holds: ({ entries, audience }) => entries.some((each) => each.audience === audience),
  expected: ({ entries }) => entries.map((each) => each.audience).join(" or "),
  came: ({ audience }) => audience,
};

/** The policy decides about the audience and the resource as a pair. */
const resourceIsThatOfTheAudience: Rule<IdJagChoice> = {
  ...about,
  id: "id_jag.target",
  title: "The resource is the one that is configured for the audience",
  see: "Identity Assertion JWT Authorization Grant, section 4.3.3",
  parameter: "resource",
  error: "invalid_target",
  message: "The resource is not the one that this client may get an ID-JAG for at the audience.",
  advice: "Send the resource of the setting 'idJag' that belongs to the audience.",
  holds: (choice) => findEntry(choice) !== undefined,
  expected: ({ entries, audience }) =>
    entries.filter((each) => each.audience === audience)
      .map(({ resource }) => resource ?? "no resource").join(" or "),
  came: ({ resources }) => resources.join(" ") || "no resource",
};

/** Reads a request for an ID-JAG. */
export function readIdJagRequest(apply: ApplyRule, parameters: FormParameters): IdJagRequest {
  const actor = [parameters.get("actor_token"), parameters.get("actor_token_type")];
  apply(actorIsAbsent, { isPresent: actor.some((value) => value !== undefined) });
  apply(detailsAreAbsent, parameters.get("authorization_details"));
  const { token, named } = readSubjectToken(apply, parameters);
  const type = requireValue(apply, subjectTypeIsSupported, named, subjectTypes.get(named));
  const audiences = parameters.all("audience");
  apply(audienceIsNamedOnce, audiences);
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
  { audience, resources }: IdJagRequest,
): IdJagConfig {
  const choice = { entries, audience, resources };
  apply(audienceIsConfigured, choice);
  return requireValue(apply, resourceIsThatOfTheAudience, choice, findEntry(choice));
}

/** Without a resource, the request names an entry only if the audience has no other. */
function findEntry({ entries, audience, resources }: IdJagChoice): IdJagConfig | undefined {
  const ofAudience = entries.filter((each) => each.audience === audience);
  const [requested, ...others] = resources;
  if (others.length > 0) return undefined;
  if (requested === undefined) return ofAudience.length === 1 ? ofAudience[0] : undefined;
  const known = ofAudience.flatMap(({ resource }) => resource ?? []);
  return ofAudience.find(({ resource }) => resource === spelledAsIn(known, requested));
}
