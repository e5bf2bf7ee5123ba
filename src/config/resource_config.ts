import { isApiScope } from "../protocol/claims.ts";
import type { Resource, ResourceRule } from "../protocol/resource.ts";
import { reportBeyond } from "./client_config.ts";
import type { Config, ResourceConfig } from "./config.ts";
import { parseDuration } from "./duration.ts";
import type { Report } from "./shape.ts";

/** The resources that tokens may be asked for. The issuer is always one, for userinfo. */
export function resourceRule({ issuer, defaultResource = issuer, resources = [] }: Config): ResourceRule {
  if (resources === "any") return "any";
  const listed = resources.map(toResource);
  const implied = [defaultResource, issuer].filter((uri) => !listed.some((each) => each.uri === uri));
  return { only: [...listed, ...[...new Set(implied)].map((uri) => ({ uri }))] };
}

export function uriOf(resource: string | ResourceConfig): string {
  return typeof resource === "string" ? resource : resource.uri;
}

/** Tells what a resource says against the server. */
export function checkResource(resource: string | ResourceConfig, offered: { scopes: readonly string[] }, report: Report): void {
  if (typeof resource === "string") return;
  reportBeyond("scopes", resource.scopes, offered.scopes, ", which is no scope of the server", report);
  const ofPeople = resource.scopes?.find((token) => !isApiScope(token));
  if (ofPeople) report("scopes", `holds '${ofPeople}', which opens userinfo and no API`);
}

function toResource(resource: string | ResourceConfig): Resource {
  if (typeof resource === "string") return { uri: resource };
  return { ...resource, accessTokenLifetime: parseDuration(resource.accessTokenLifetime) };
}
