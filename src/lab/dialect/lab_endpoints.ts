import { browserEndpointUrl, type Context } from "../../server/issuer/context.ts";
import type { EndpointField } from "../../server/model/server_metadata.ts";
import { LabError } from "../util/lab_error.ts";
import { isEndpointField } from "./endpoint_names.ts";
import {
  createProviderPlaces,
  type LabEndpoint,
  type PlacesConfig,
  type ProviderApi,
  type ProviderPlaces,
} from "./provider_places.ts";

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

/** Returns the APIs that a provider has beside its endpoints. */
export function listProviderApis(source: EndpointSource): ProviderApi[] {
  return placesOf(source)?.listApis() ?? [];
}

/** Finds the metadata that clients read; undefined if the provider publishes none. */
export function findMetadata(
  source: EndpointSource,
): Readonly<Record<string, unknown>> | undefined {
  const { metadata, hasServerMetadata = true } = placesOf(source) ?? {};
  return metadata ?? (hasServerMetadata ? source.context.metadata() : undefined);
}

/** Whether a grant is supported, as far as metadata lists them. */
export function supportsGrant(source: EndpointSource, grantType: string): boolean {
  const { grant_types_supported: supported } = findMetadata(source) ?? {};
  return !Array.isArray(supported) || supported.includes(grantType);
}

function placesOf({ settings }: EndpointSource): ProviderPlaces | undefined {
  const config = settings?.config();
  return config?.dialect && createProviderPlaces(config, config.dialect);
}
