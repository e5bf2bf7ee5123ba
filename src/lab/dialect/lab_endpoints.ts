import { browserEndpointUrl, type Context } from "../../server/issuer/context.ts";
import type { EndpointField } from "../../server/model/server_metadata.ts";
import { LabError } from "../util/lab_error.ts";
import {
  createProviderPlaces,
  isEndpointField,
  type LabEndpoint,
  type PlacesConfig,
  type ProviderApi,
  type ProviderPlaces,
} from "./provider_places.ts";

type Metadata = Readonly<Record<string, unknown>>;

/** A lab, or a server alone, which speaks no dialect. */
export interface EndpointSource {
  context: Context;
  settings?: { config(): PlacesConfig };
}

/**
 * Returns the endpoints that clients of a lab can use, as browsers and terminals reach them. A
 * provider that the lab plays may have fewer, and at other paths, than the server has.
 */
export function listEndpoints(source: EndpointSource): LabEndpoint[] {
  const { context } = source;
  const own = Object.keys(context.metadata()).filter(isEndpointField)
    .map((name) => ({ name, url: browserEndpointUrl(context, name) }));
  const provider = placesOf(source);
  return provider ? own.flatMap((each) => provider.findEndpoint(each) ?? []) : own;
}

/** Finds an endpoint; undefined if the lab, or the provider that it plays, has none. */
export function findEndpointUrl(source: EndpointSource, field: EndpointField): string | undefined {
  return listEndpoints(source).find(({ name }) => name === field)?.url;
}

/**
 * Returns the URL of an endpoint.
 *
 * @throws {LabError} The lab, or the provider that it plays, has no such endpoint.
 */
export function requireEndpointUrl(source: EndpointSource, field: EndpointField): string {
  const url = findEndpointUrl(source, field);
  if (url === undefined) throw new LabError(`The metadata here has no '${field}'.`);
  return url;
}

export function listProviderApis(source: EndpointSource): ProviderApi[] {
  return placesOf(source)?.listApis() ?? [];
}

/** Finds the metadata at the issuer; undefined if the provider publishes none. */
export function findMetadata(source: EndpointSource): Metadata | undefined {
  return readableMetadata(source)[0];
}

/** Whether a grant is supported, as far as metadata lists them. */
export function supportsGrant(source: EndpointSource, grantType: string): boolean {
  const readable = readableMetadata(source);
  const lists = readable.map(({ grant_types_supported: listed }) => listed).filter(Array.isArray);
  return lists.length < readable.length || readable.length === 0 ||
    lists.some((listed) => listed.includes(grantType));
}

/** Returns the metadata documents that clients can read, that of the provider first. */
function readableMetadata(source: EndpointSource): Metadata[] {
  const { metadata, ownMetadata = true } = placesOf(source) ?? {};
  return [...metadata ? [metadata] : [], ...ownMetadata ? [source.context.metadata()] : []];
}

function placesOf({ settings }: EndpointSource): ProviderPlaces | undefined {
  const config = settings?.config();
  return config?.dialect && createProviderPlaces(config, config.dialect);
}
