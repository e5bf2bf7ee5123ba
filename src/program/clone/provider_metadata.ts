import { hasUserInformation } from "../../server/util/addresses/uri.ts";
import { isObject } from "../../server/util/text/json.ts";
import { UsageError } from "../terminal/usage_error.ts";

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

/** Members of which metadata has at least one. */
const neededEndpoints = ["authorization_endpoint", "token_endpoint", "jwks_uri"];

/** Reads metadata from JSON, in a file or a response; `place` is where it was. */
export function readProviderMetadata(value: unknown, place: string): ProviderMetadata {
  const problem = metadataProblem(value);
  if (problem !== undefined) throw new UsageError(`${place} is not metadata: ${problem}.`);
  return value as ProviderMetadata;
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
