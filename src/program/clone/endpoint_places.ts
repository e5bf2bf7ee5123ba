import type { AliasTarget, EndpointAlias } from "../../lab/dialect/place_settings.ts";
import { endpointNames, isEndpointField } from "../../lab/dialect/provider_places.ts";
import type { EndpointName } from "../../server/config/paths_config.ts";
import { isEndpointMember, pathOf, type ProviderMetadata } from "./provider_metadata.ts";

/** Endpoints that can only be below the issuer. */
const belowIssuer: readonly string[] = ["register", "par"];

/** A path of an endpoint that every client sends unchanged. */
const plainPath = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)+\/?$/;

/** Where the endpoints of a provider are, as settings of a lab. */
export interface EndpointPlaces {
  paths: Partial<Record<EndpointName, string>>;
  aliases: EndpointAlias[];
  /** The members of metadata whose endpoints a lab does not have there. */
  unplayed: string[];
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
