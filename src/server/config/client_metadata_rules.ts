import type { Rule } from "../protocol/rule.ts";

const section = "RFC 7591, section 2";

const maxDescriptionLength = 2000;

export const metadataIsObject: Rule<unknown> = {
  id: "registration.object",
  title: "The metadata of the client is an object",
  see: section,
  error: "invalid_client_metadata",
  message: "The metadata must be an object.",
  advice: "Send a JSON object.",
  holds: (metadata) => metadata !== undefined,
};

export const statementIsAbsent: Rule<object> = {
  id: "registration.software_statement",
  title: "The metadata has no software statement",
  see: section,
  parameter: "software_statement",
  error: "unapproved_software_statement",
  message: "This server does not accept software statements.",
  advice: "Register without a software_statement.",
  holds: (metadata) => !("software_statement" in metadata),
};

/** A problem with a member of the metadata. */
export interface MetadataProblem {
  path: string;
  problem: string;
}

/**
 * The problems, and the names inside a member, may repeat what the client sent. Logs get only the
 * names of the members.
 */
export const metadataIsValid: Rule<readonly MetadataProblem[]> = {
  id: "registration.metadata",
  title: "The metadata of the client is valid",
  see: section,
  parameterIn: ([first]) => first && memberOf(first),
  error: "invalid_client_metadata",
  message: (problems) =>
    problems.map(({ path, problem }) => `'${path}' ${problem}.`).join(" ").slice(
      0,
      maxDescriptionLength,
    ),
  details: (problems) => ({
    loggedAs: `Invalid members: ${[...new Set(problems.map(memberOf))].join(", ")}.`,
  }),
  advice: "Register with the members that the metadata of the server supports.",
  holds: (problems) => problems.length === 0,
};

function memberOf({ path }: MetadataProblem): string {
  const [member = ""] = path.split(/[.[]/, 1);
  return member;
}

export const redirectUrisAreValid: Rule<readonly MetadataProblem[]> = {
  ...metadataIsValid,
  id: "registration.redirect_uris",
  title: "The redirect URIs of the client are valid",
  error: "invalid_redirect_uri",
  advice: "Register https URIs, or URIs of native applications, without a fragment.",
  holds: (problems) => !problems.some(({ path }) => path.startsWith("redirect_uris")),
};
