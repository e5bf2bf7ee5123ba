import { compared, ruleSet } from "../../protocol/rule.ts";

const maxDescriptionLength = 2000;

export interface MetadataProblem {
  path: string;
  problem: string;
}

const about = { see: "RFC 7591, section 2", error: "invalid_client_metadata" } as const;

/** What a client cannot change by itself. */
const identity = { see: "RFC 7592, section 2.2" } as const;

/**
 * The problems, and the names inside a member, may repeat what the client sent. Logs get only the
 * names of the members.
 */
const problems = {
  parameterIn: ([first]: readonly MetadataProblem[]) => first && memberOf(first),
  message: (all: readonly MetadataProblem[]) =>
    all.map(({ path, problem }) => `'${path}' ${problem}.`).join(" ").slice(
      0,
      maxDescriptionLength,
    ),
  details: (all: readonly MetadataProblem[]) => ({
    description: `Invalid members: ${[...new Set(all.map(memberOf))].join(", ")}.`,
  }),
};

export const registrationRules = ruleSet("registration", about, {
  object: { title: "The metadata must be a JSON object" },
  software_statement: {
    parameter: "software_statement",
    error: "unapproved_software_statement",
    title: "The metadata must not have a software_statement, which this server does not accept",
    holds: (metadata: object) => !("software_statement" in metadata),
  },
  metadata: {
    ...problems,
    title: "The metadata of the client must be valid",
    fix: "Register with values that are allowed here. The server's setting registration.allow " +
      "lists grants, scopes and types of authorization details.",
    // The server's metadata names grants that this client may not have.
    fixFor: (all) =>
      all.some((each) => memberOf(each) === "grant_types")
        ? "Register with grant types that are allowed here. The server's setting " +
          "registration.allow.grantTypes lists them."
        : undefined,
    holds: (all: readonly MetadataProblem[]) => all.length === 0,
  },
  redirect_uris: {
    ...problems,
    error: "invalid_redirect_uri",
    title: "The redirect URIs of the client must be valid",
    fix: "Register https URIs, or URIs of native applications, without a fragment.",
    holds: (all: readonly MetadataProblem[]) =>
      !all.some(({ path }) => path.startsWith("redirect_uris")),
  },
  sector_reachable: {
    see: "OpenID Connect Registration, section 5",
    parameter: "sector_identifier_uri",
    title: "The member 'sector_identifier_uri' must lead to a site that can be reached",
    details: ({ cause }) => ({ cause }),
    fix: "Publish the list of redirect URIs at the sector_identifier_uri, and register again.",
    holds: ({ cause }: { cause?: unknown }) => cause === undefined,
  },
  same_id: {
    ...compared,
    ...identity,
    parameter: "client_id",
    title: "The client_id in the metadata must be the registered one",
  },
  same_secret: {
    ...identity,
    parameter: "client_secret",
    title: "The client_secret in the metadata must be the one that was issued",
    fix: "Send the current client_secret, or omit it.",
    holds: ({ isKept }: { isKept: boolean }) => isKept,
  },
});

function memberOf({ path }: MetadataProblem): string {
  const [member = ""] = path.split(/[.[]/, 1);
  return member;
}
