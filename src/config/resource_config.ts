import type { AcceptedResources, Resource } from "../model/access_rights.ts";
import { isApiScope } from "../model/claims.ts";
import { type Duration, parseDuration } from "../util/duration.ts";
import { reportBeyond } from "./problems.ts";
import type { ReportProblem } from "./shape.ts";

/** An API with wishes of its own. */
export interface ResourceConfig {
  /** The identifier of the resource: an absolute URI without a fragment (RFC 8707). */
  uri: string;
  /** What its tokens can allow. Default: every scope. */
  scopes?: string[];
  /** What its tokens are. Default: as the client has it. */
  accessTokenFormat?: "jwt" | "opaque";
  /** How long its tokens live, at most as long as the server's. Default: as long. */
  accessTokenLifetime?: Duration;
}

/** What of a configuration speaks of resources. */
interface Resources {
  issuer: string;
  defaultResource?: string;
  resources?: ReadonlyArray<string | ResourceConfig> | "any";
}

/** The resources that tokens may be asked for. The issuer is always one, for userinfo. */
export function resourceRule(
  { issuer, defaultResource = issuer, resources = [] }: Resources,
): AcceptedResources {
  if (resources === "any") return "any";
  const listed = resources.map(toResource);
  const implied = [defaultResource, issuer].filter((uri) =>
    !listed.some((each) => each.uri === uri)
  );
  return { only: [...listed, ...[...new Set(implied)].map((uri) => ({ uri }))] };
}

export function uriOf(resource: string | ResourceConfig): string {
  return typeof resource === "string" ? resource : resource.uri;
}

/** Tells what a resource says against the server. */
export function checkResource(
  resource: string | ResourceConfig,
  offered: { scopes: readonly string[] },
  report: ReportProblem,
): void {
  if (typeof resource === "string") return;
  reportBeyond(report, "scopes", resource.scopes, {
    among: offered.scopes,
    why: ", which is no scope of the server",
  });
  const ofPeople = resource.scopes?.find((token) => !isApiScope(token));
  if (ofPeople) report("scopes", `holds '${ofPeople}', which opens userinfo and no API`);
}

function toResource(resource: string | ResourceConfig): Resource {
  if (typeof resource === "string") return { uri: resource };
  return { ...resource, accessTokenLifetime: parseDuration(resource.accessTokenLifetime) };
}
