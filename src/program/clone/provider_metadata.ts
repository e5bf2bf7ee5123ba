import type { AliasTarget, EndpointAlias } from "../../lab/dialect/place_settings.ts";
import { endpointNames, isEndpointField } from "../../lab/dialect/provider_places.ts";
import type { EndpointName } from "../../server/config/paths_config.ts";
import { hasUserInformation } from "../../server/util/addresses/uri.ts";
import { isObject } from "../../server/util/text/json.ts";
import { UsageError } from "../terminal/exit_code.ts";

/** The metadata of a provider: OpenID Connect Discovery, or RFC 8414. */
export interface ProviderMetadata extends Readonly<Record<string, unknown>> {
  readonly issuer: string;
}

/** Metadata, and where and when it was read. */
export interface ReadMetadata {
  document: ProviderMetadata;
  /** The URL of the document; undefined if a file does not say. */
  url: string | undefined;
  /** The date of the document, or of reading it. */
  date: string;
}

/** Where the endpoints of a provider are, as settings of a lab. */
export interface EndpointPlaces {
  paths: Partial<Record<EndpointName, string>>;
  aliases: EndpointAlias[];
  /** The members of metadata whose endpoints a lab does not have there. */
  unplayed: string[];
}

/** Members of which metadata has at least one. */
const neededEndpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"];

/** Endpoints that can only be below the issuer. */
const belowIssuer: readonly string[] = ["register", "par"];

/** A path of an endpoint that every client sends unchanged. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+\/?$/;

/** Reads metadata from JSON, in a file or a response; `place` is where it was. */
export function readProviderMetadata(value: unknown, place: string): ProviderMetadata {
  const problem = metadataProblem(value);
  if (problem !== undefined) throw new UsageError(`${place} is not metadata: ${problem}.`);
  return value as ProviderMetadata;
}

/** Finds the paths of endpoints: below the issuer, or else below the address of the lab. */
export function endpointPlaces(document: ProviderMetadata): EndpointPlaces {
  const places: EndpointPlaces = { paths: {}, aliases: [], unplayed: [] };
  const issuerPath = pathOf(document.issuer).replace(/\/$/, "");
  for (const [member, url] of Object.entries(document)) {
    if (!isEndpointMember(member)) continue;
    const endpoint = isEndpointField(member) ? endpointNames[member] : undefined;
    const path = pathOf(String(url));
    const isPlayed = endpoint !== undefined && addPlace(places, endpoint, path, issuerPath);
    if (!isPlayed) places.unplayed.push(member);
  }
  return places;
}

/** Whether a member of metadata holds the URL of an endpoint. */
export function isEndpointMember(name: string): boolean {
  return name.endsWith("_endpoint") || name === "jwks_uri";
}

/** Whether a text is an http or https URL. Its path may have a placeholder: `{tenantid}`. */
export function isAddress(text: string): boolean {
  return /^https?:\/\/[^/\s]/i.test(text) && URL.canParse(text);
}

/** Returns the path of a URL as it is written: a placeholder in it stays. */
export function pathOf(url: string): string {
  return /^[a-z]+:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? "";
}

function metadataProblem(value: unknown): string | undefined {
  if (!isObject(value)) return "it is not a JSON object";
  const { issuer } = value;
  if (typeof issuer !== "string") return "it has no issuer";
  if (!isAddress(issuer)) return "its issuer is not a URL";
  if (/[?#]/.test(issuer)) return "its issuer has a query or a fragment";
  if (hasUserInformation(issuer)) return "its issuer has user information";
  const endpoints = Object.entries(value).filter(([name]) => isEndpointMember(name));
  const wrong = endpoints.find(([, url]) => typeof url !== "string" || !isAddress(url));
  if (wrong) return `its ${wrong[0]} is not a URL`;
  const hasNeeded = endpoints.some(([name]) => neededEndpoints.includes(name));
  return hasNeeded ? undefined : `it has none of: ${neededEndpoints.join(", ")}`;
}

function addPlace(
  { paths, aliases }: EndpointPlaces,
  endpoint: EndpointName,
  path: string,
  issuerPath: string,
): boolean {
  const below = path.startsWith(`${issuerPath}/`) ? path.slice(issuerPath.length) : "";
  if (plainPath.test(below) && !Object.values(paths).includes(below)) {
    paths[endpoint] = below;
    return true;
  }
  if (belowIssuer.includes(endpoint) || !plainPath.test(path)) return false;
  aliases.push({ path, to: endpoint as AliasTarget });
  return true;
}
