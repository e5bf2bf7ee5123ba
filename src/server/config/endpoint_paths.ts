import { withoutUndefined } from "../util/values/members.ts";
import { pathsDefaults } from "./config_data.ts";
import { addedDefaults, type FeatureConfig } from "./feature_config.ts";
import type { CorePathsConfig, EndpointName, EndpointPaths } from "./paths_config.ts";
import type { ReportProblem } from "./problems.ts";

type PathEntry = [name: EndpointName, path: string];

/** The endpoints that have routes one segment below their path. */
const withRoutesBelow: readonly EndpointName[] = ["register", "logout"];

/** Paths that what wraps a server may handle before it. */
const reservedPaths = ["/lab", "/lab/:name", "/lab/:name/:id", "/t/:id", "/t/:id/:rest"];

/** Returns the path of every endpoint that a server has. */
export function pathsOf(
  paths: CorePathsConfig | undefined,
  features: readonly FeatureConfig[],
): EndpointPaths {
  return { ...pathsDefaults, ...addedDefaults(features, "paths"), ...paths };
}

/** Returns the path of a route one segment below an endpoint. A trailing slash is not doubled. */
export function pathBelow(path: string, segment: string): string {
  return `${path.replace(/\/$/, "")}/${segment}`;
}

/** Returns the id of the interaction whose page is at a path below the issuer. */
export function interactionIdAt({ interaction }: EndpointPaths, path: string): string | undefined {
  const start = pathBelow(interaction, "");
  return path.startsWith(start) ? path.slice(start.length).split("/")[0] : undefined;
}

/** Returns the endpoint that a path below the issuer belongs to. */
export function endpointAt(paths: EndpointPaths, path: string): EndpointName | undefined {
  // Of two endpoints, neither has a path that the other has as well.
  const names = Object.keys(paths) as EndpointName[];
  return names.find((name) => name !== "interaction" && paths[name] === path) ??
    names.find((name) => {
      const start = paths[name];
      if (start === undefined || !path.startsWith(start)) return false;
      return patternsOf([name, start]).some((pattern) => overlaps(pattern, path));
    });
}

/** Reports each configured path that another route has as well. */
export function checkPaths(
  given: CorePathsConfig,
  paths: EndpointPaths,
  fixedPaths: readonly string[],
  report: ReportProblem,
): void {
  const configured = withoutUndefined(given);
  const entries = entriesOf(paths);
  for (const [name, path] of entries.filter(([each]) => Object.hasOwn(configured, each))) {
    const own = patternsOf([name, path]);
    const isTaken = (pattern: string) => own.some((each) => overlaps(each, pattern));
    const [other] = entries.find((each) => each[0] !== name && patternsOf(each).some(isTaken)) ??
      [];
    if (other) report(`paths.${name}`, `is '${path}', which clashes with paths.${other}`);
    const fixed = [...fixedPaths, ...reservedPaths].find(isTaken);
    if (fixed) report(`paths.${name}`, `is '${path}', which clashes with '${fixed}'`);
  }
}

/** Returns each endpoint with its path. The schema has checked the names. */
function entriesOf(paths: EndpointPaths): PathEntry[] {
  return Object.entries(withoutUndefined(paths)) as PathEntry[];
}

function patternsOf([name, path]: PathEntry): string[] {
  if (name === "interaction") return [pathBelow(path, ":id"), pathBelow(path, ":id/:step")];
  return withRoutesBelow.includes(name) ? [path, pathBelow(path, ":id")] : [path];
}

/** Whether two paths, each with placeholders or without, have a path in common. */
function overlaps(one: string, other: string): boolean {
  const [ones, others] = [one.split("/"), other.split("/")];
  return ones.length === others.length && ones.every((segment, at) => {
    const opposite = others[at] ?? "";
    const isOpen = segment.startsWith(":") && opposite !== "";
    return isOpen || opposite.startsWith(":") && segment !== "" || segment === opposite;
  });
}
