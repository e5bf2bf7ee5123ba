import type { Route } from "../../src/server/endpoints/route.ts";
import { featureParts } from "../../src/server/feature_parts.ts";
import { features } from "../../src/server/features.ts";
import { routesOf } from "../../src/server/server.ts";
import { web } from "./every_flow.ts";
import { encode, type Fields } from "./flow_kit.ts";
import type { Kit } from "./kit.ts";

/** A place in a request where a secret may be by mistake. */
export interface SecretPlace {
  /** Where it is: `"POST /oauth2/token grant_type"`. */
  name: string;
  request(secret: string): Request;
}

/** What a request has besides a valid one. */
interface RequestChanges {
  fields?: Fields;
  headers?: Record<string, string>;
  /** In place of the parameter of the path. */
  segment?: string;
}

/** Every parameter of every endpoint. Those that one does not know, it must ignore in silence. */
const parameterNames = [
  ...featureParts(features).parameters,
  ...["form_token", "username", "password", "decision", "account", "session", "next"],
];

/** The members of a registration, which is JSON. */
const metadataNames = [
  ...["client_id", "client_secret", "client_name", "redirect_uris", "grant_types", "jwks", "scope"],
  ...["response_types", "token_endpoint_auth_method", "jwks_uri", "logo_uri", "contacts"],
  ...["software_statement", "application_type", "post_logout_redirect_uris", "subject_type"],
  ...["sector_identifier_uri", "id_token_signed_response_alg", "default_max_age"],
];

const cookieNames = ["browser", "session", "familiar", "flow"];

/** Returns every place of every endpoint where a request can have a secret. */
export function secretPlaces(kit: Kit): SecretPlace[] {
  const base = Object.fromEntries(new URL(kit.authorizationUrl({ client_id: "web" })).searchParams);
  return routesOf(kit.server.context.settings, featureParts(features)).flatMap((route) => {
    const isJson = route.path.includes("/register");
    const send = (changes: RequestChanges) => createRequest(kit, route, base, changes);
    const names = isJson && route.method !== "GET" ? metadataNames : parameterNames;
    const places: Array<[name: string, changes: (secret: string) => RequestChanges]> = [
      ...names.map((name) => place(name, (secret) => ({ fields: { [name]: secret } }))),
      place("a name", (secret) => ({ fields: { [secret]: "a" } })),
      place("a repeated name", (secret) => ({ fields: { [secret]: ["a", "a"] } })),
      place("a repeated parameter", (secret) => ({ fields: { state: [secret, secret] } })),
      ...headerPlaces(kit),
    ];
    if (route.path.includes(":")) places.push(place("the path", (segment) => ({ segment })));
    return places.map(([name, changes]) => ({
      name: `${route.method} ${route.path} ${name}`,
      request: (secret) => send(changes(secret)),
    }));
  });
}

function place(name: string, changes: (secret: string) => RequestChanges) {
  return [name, changes] as [string, (secret: string) => RequestChanges];
}

function headerPlaces({ server: { context } }: Kit) {
  const header = (name: string, value: (secret: string) => string) =>
    place(`${name}: ${value("…")}`, (secret) => ({ headers: { [name]: value(secret) } }));
  const cookies = cookieNames.map((name) => context.cookies.write(name, "")[1].split("=")[0]);
  return [
    ...["Bearer ", "DPoP ", "Basic ", ""].map((scheme) =>
      header("Authorization", (secret) => scheme + secret)
    ),
    place("Basic secret", (secret) => ({ headers: basicOf(`web:${secret}`) })),
    place("Basic id", (secret) => ({ headers: basicOf(`${secret}:a`) })),
    ...[...cookies, "other"].map((name) => header("Cookie", (secret) => `${name}=${secret}`)),
    header("Cookie", (secret) => `${secret}=a`),
    ...["DPoP", "Content-Type", "Accept", "Accept-Language", "Origin", "User-Agent", "Referer"]
      .map((name) => header(name, (secret) => secret)),
  ];
}

function basicOf(text: string): Record<string, string> {
  const bytes = new TextEncoder().encode(text);
  return { Authorization: `Basic ${btoa(String.fromCharCode(...bytes))}` };
}

/** Creates a request that is valid where all of these parameters are. */
function createRequest(
  { issuer }: Kit,
  { method, path }: Route,
  base: Fields,
  { fields = {}, headers = {}, segment = "a" }: RequestChanges,
): Request {
  const url = issuer + path.replace(/:\w+/, () => encodeURIComponent(segment));
  if (method === "GET" || method === "DELETE") {
    return new Request(`${url}?${encode({ ...base, ...fields })}`, { method, headers });
  }
  if (path.includes("/register")) {
    const body = JSON.stringify({ redirect_uris: ["https://app.example/cb"], ...fields });
    return new Request(url, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      body,
    });
  }
  const isApi = /token|par$|introspect|revoke|device_auth/.test(path);
  return new Request(url, {
    method,
    headers: { "Content-Type": "application/x-www-form-urlencoded", ...isApi && web, ...headers },
    body: encode({ grant_type: "client_credentials", ...base, ...fields }).toString(),
  });
}
