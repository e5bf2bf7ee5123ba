import type { EndpointName } from "../../server/config/paths_config.ts";
import type { EndpointField } from "../../server/model/server_metadata.ts";
import { issuerUrl } from "../../server/protocol/issuer_url.ts";
import { isObject } from "../../server/util/text/json.ts";
import type { Dialect } from "./dialect.ts";
import { type ChannelUrls, type DialectAddress, dialectAddress } from "./dialect_address.ts";
import { createDialectPlaces } from "./dialect_places.ts";
import { withPlayedHosts } from "./played_hosts.ts";
import { fillTemplate } from "./template.ts";

const discoveryPath = "/.well-known/openid-configuration";

/** The endpoints of a lab, by the member of metadata that names them. */
export const endpointNames: Readonly<Record<EndpointField, EndpointName>> = {
  authorization_endpoint: "authorize",
  token_endpoint: "token",
  jwks_uri: "jwks",
  userinfo_endpoint: "userinfo",
  end_session_endpoint: "logout",
  introspection_endpoint: "introspect",
  revocation_endpoint: "revoke",
  device_authorization_endpoint: "deviceAuthorization",
  backchannel_authentication_endpoint: "backchannelAuthentication",
  registration_endpoint: "register",
  pushed_authorization_request_endpoint: "par",
};

/** Whether a member of metadata holds the URL of an endpoint that a lab can have. */
export function isEndpointField(name: string): name is EndpointField {
  return Object.hasOwn(endpointNames, name);
}

/** The settings that decide where the endpoints of a provider are. */
export interface PlacesConfig extends ChannelUrls {
  issuer: string;
  paths?: Readonly<Partial<Record<EndpointName, string>>> | undefined;
  dialect?: Dialect | undefined;
}

/** An endpoint, by the member of metadata that names it. */
export interface LabEndpoint {
  name: EndpointField;
  url: string;
}

/** An API of a provider besides its endpoints, for a GET. */
export interface ProviderApi {
  url: string;
}

/** Where a provider that a lab plays has what clients use. */
export type ProviderPlaces = ReturnType<typeof createProviderPlaces>;

/** Creates what knows where a provider has its endpoints. */
export function createProviderPlaces(config: PlacesConfig, dialect: Dialect) {
  const address = dialectAddress(config.issuer, dialect, config);
  const { base, issuer } = address;
  const { hosts = [], missingEndpoints = [], aliases = [], ownMetadata = true } = dialect;
  const placeOf = createDialectPlaces(dialect, address);
  const metadata = readMetadata();

  function readMetadata(): Readonly<Record<string, unknown>> | undefined {
    const place = placeOf(pathOf(issuerUrl(issuer, discoveryPath)));
    if (place?.kind !== "document") return undefined;
    const { segment, document: { body } } = place;
    const filled = fillTemplate(body, { ...address, host: new URL(base).host, segment });
    const document = withPlayedHosts(filled, base, hosts);
    return isObject(document) ? document : undefined;
  }

  function locate(path: string): string {
    return atFrontChannel(String(withPlayedHosts(base + path, base, hosts)), address);
  }

  /** Metadata may name what a lab does not have. */
  function isServed(url: string, own: LabEndpoint): boolean {
    const place = placeOf(pathOf(url));
    return place?.kind === "alias"
      ? place.endpoint === endpointNames[own.name]
      : pathOf(url) === pathOf(own.url);
  }

  function findUrl(own: LabEndpoint): string | undefined {
    const endpoint = endpointNames[own.name];
    const published = metadata?.[own.name];
    if (missingEndpoints.some((each) => each === endpoint)) return undefined;
    if (typeof published === "string") {
      const url = atFrontChannel(published, address);
      return isServed(url, own) ? url : undefined;
    }
    if ((!metadata && ownMetadata) || config.paths?.[endpoint] !== undefined) return own.url;
    const alias = aliases.find(({ to, path }) => to === endpoint && !isOpen(path));
    return alias && locate(alias.path);
  }

  return {
    /** The metadata that the dialect has in place of the server's. */
    metadata,
    /** Whether clients can read the metadata of the server as well. */
    ownMetadata,
    /** Finds where the provider has an endpoint of the server; undefined if it has none. */
    findEndpoint(own: LabEndpoint): LabEndpoint | undefined {
      const url = findUrl(own);
      return url === undefined ? undefined : { name: own.name, url };
    },
    /** Returns the APIs, without the other names of those whose path has an open segment. */
    listApis(): ProviderApi[] {
      const { userApis = [] } = dialect;
      return userApis.filter(({ path }) => !isOpen(path))
        .map(({ path }) => ({ url: locate(path) }));
    },
  };
}

/** Returns a URL as browsers reach it. */
function atFrontChannel(url: string, { base, back, front }: DialectAddress): string {
  const own = [back, base].find((each) => url.startsWith(`${each}/`));
  return own === undefined ? url : front + url.slice(own.length);
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}

/** Whether clients choose a segment of a path. */
function isOpen(path: string): boolean {
  return path.includes("/:");
}
