import { describeScopes } from "../../lab/lab_server/lab_scopes.ts";
import type { PresetFileFact } from "../../lab/lab_server/preset_file.ts";
import type { PresetSettings } from "../../lab/providers/preset.ts";
import { grantTypes } from "../../server/features.ts";
import { signingAlgorithms } from "../../server/model/signing.ts";
import { isScopeToken } from "../../server/protocol/scope.ts";
import { counted } from "../../server/util/time/duration.ts";
import { documentTemplate } from "./metadata_document.ts";
import {
  type EndpointPlaces,
  endpointPlaces,
  isEndpointMember,
  pathOf,
  type ProviderMetadata,
  type ReadMetadata,
} from "./provider_metadata.ts";

const maxScopes = 200;
const responseModes = ["query", "fragment", "form_post"] as const;

/** Where metadata is if a file does not say. */
const usualPath = "/.well-known/openid-configuration";

/** What a source says about a provider, and the settings that play it. */
export interface FoundFact extends Pick<PresetFileFact, "says" | "isUncertain"> {
  /** Its id in the preset: `paths`. */
  id: string;
  plays: PresetSettings;
}

/** Members that no other server sends. */
const wireFact: FoundFact = {
  id: "wire",
  says: "Responses have no members that only Hallpass sends.",
  plays: { errorUri: false },
  isUncertain: true,
};

/** What was found in one source. */
export interface SourceFacts {
  /** The short name of the source: `metadata`. */
  source: string;
  /** The URL of the source, and which text was read. */
  from: [url: string, text: string];
  facts: readonly FoundFact[];
  /** What the lab does not play, or could not be known. */
  missing: readonly string[];
}

/** Returns what metadata says about a provider. */
export function findInMetadata({ document, url, date }: ReadMetadata): SourceFacts {
  const places = endpointPlaces(document);
  const template = documentTemplate(document);
  const issuerPath = pathOf(document.issuer);
  const path = url === undefined ? issuerPath.replace(/\/$/, "") + usualPath : pathOf(url);
  const documentFact: FoundFact = {
    id: "metadata",
    says: "The metadata is what the provider published, and no other.",
    plays: { dialect: { ownMetadata: false, documents: [{ path, body: template.body }] } },
  };
  return {
    source: "metadata",
    // Its query may hold a key of the user.
    from: [(url ?? document.issuer).replace(/[?#].*/s, ""), date],
    facts: [
      ...issuerFacts(document.issuer),
      ...endpointFacts(document, places),
      documentFact,
      ...scopeFacts(document),
      ...algorithmFacts(document),
      ...grantFacts(document),
      ...responseFacts(document),
      ...subjectFacts(document),
      wireFact,
    ],
    missing: [
      ...places.unplayed.map((member) => `The endpoint ${member}: the metadata names it alone.`),
      ...template.leftOut.map((member) => `The member ${member} of the metadata.`),
      ...unplayedAlgorithms(document),
      ...unplayedTypes(document),
    ],
  };
}

function issuerFacts(issuer: string): FoundFact[] {
  const path = pathOf(issuer);
  if (path === "") return [];
  const [, name] = /\/\{([a-z]+)\}/.exec(path) ?? [];
  const issuerPath = name === undefined ? path : path.replace(`{${name}}`, `:${name}`);
  const says = path === "/" ? "The issuer ends with a slash." : "The issuer has a path.";
  const tenant = name === undefined ? {} : { tenant: "tenant" };
  return [{ id: "issuer", says, plays: { dialect: { issuerPath, ...tenant } } }];
}

function endpointFacts(
  document: ProviderMetadata,
  { paths, aliases }: EndpointPlaces,
): FoundFact[] {
  const urls = Object.entries(document).filter(([name]) => isEndpointMember(name));
  const hosts = new Set(urls.map(([, url]) => new URL(String(url)).host));
  const says = hosts.size > 1
    ? `Endpoints have the paths that they have on ${counted(hosts.size, "host")}.`
    : "Endpoints have these paths.";
  const plays = {
    ...Object.keys(paths).length > 0 && { paths },
    ...aliases.length > 0 && { dialect: { aliases } },
  };
  return Object.keys(plays).length > 0 ? [{ id: "paths", says, plays }] : [];
}

function scopeFacts({ scopes_supported: scopes }: ProviderMetadata): FoundFact[] {
  const names = textsIn(scopes).filter(isScopeToken).slice(0, maxScopes);
  if (names.length === 0) return [];
  return [{
    id: "scopes",
    says: "The metadata lists these scopes.",
    plays: { scopes: describeScopes(names) },
  }];
}

function algorithmFacts(document: ProviderMetadata): FoundFact[] {
  const listed = textsIn(document.id_token_signing_alg_values_supported);
  const idTokenAlgs = signingAlgorithms.filter((alg) => listed.includes(alg));
  if (idTokenAlgs.length === 0) return [];
  const says = `ID tokens are signed with ${idTokenAlgs.join(", ")}.`;
  return [{ id: "algorithms", says, plays: { idTokenAlgs: [...idTokenAlgs] } }];
}

function grantFacts({ grant_types_supported: grants }: ProviderMetadata): FoundFact[] {
  const played = grantTypes.filter((type) => textsIn(grants).includes(type));
  if (!played.includes("authorization_code")) return [];
  const says = "The metadata lists these grants.";
  return [{ id: "grants", says, plays: { grantTypes: played } }];
}

function responseFacts(document: ProviderMetadata): FoundFact[] {
  const listed = textsIn(document.response_modes_supported);
  const modes = responseModes.filter((mode) => listed.includes(mode));
  const hasIssuer = document.authorization_response_iss_parameter_supported === true;
  return [
    ...modes.includes("query")
      ? [{
        id: "response_modes",
        says: `A response may come as ${modes.join(", ")}.`,
        plays: { clientDefaults: { responseModes: modes } },
      }]
      : [],
    // Without the member, a provider does not send it (RFC 9207, section 3).
    ...hasIssuer ? [] : [{
      id: "no_iss",
      says: "Authorization responses have no iss.",
      plays: { dialect: { authorizationResponse: { unset: ["iss"] } } },
    }],
  ];
}

function subjectFacts({ subject_types_supported: types }: ProviderMetadata): FoundFact[] {
  if (textsIn(types).join() !== "pairwise") return [];
  const says = "sub differs between applications.";
  return [{ id: "pairwise", says, plays: { clientDefaults: { subjectType: "pairwise" } } }];
}

function unplayedAlgorithms(document: ProviderMetadata): string[] {
  const listed = textsIn(document.id_token_signing_alg_values_supported);
  if (listed.length === 0 || listed.includes("RS256")) return [];
  return ["ID tokens that are never signed with RS256: set idTokenAlg of the clients."];
}

function unplayedTypes({ response_types_supported: types }: ProviderMetadata): string[] {
  const others = textsIn(types).filter((type) => type !== "code");
  return others.length > 0 ? [`Response types beyond code: ${others.join(", ")}.`] : [];
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}
