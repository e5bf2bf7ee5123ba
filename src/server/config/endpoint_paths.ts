import { pathsDefaults } from "./config_defaults.ts";
import type { EndpointName, EndpointPaths, PathsConfig } from "./paths_config.ts";
import type { ReportProblem } from "./problems.ts";

/** Every endpoint whose path can be configured. */
export const endpointNames = Object.keys(pathsDefaults) as EndpointName[];

/** The endpoints that have routes one segment below their path. */
const withRoutesBelow: readonly EndpointName[] = ["register", "logout"];

/** Paths that what wraps a server may handle before it. */
const reservedPaths = ["/lab", "/lab/:name", "/lab/:name/:id", "/t/:id", "/t/:id/:rest"];

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
  const exact = endpointNames.find((name) => name !== "interaction" && paths[name] === path);
  return exact ??
    endpointNames.find((name) =>
      patternsOf(name, paths[name]).some((pattern) => overlaps(pattern, path))
    );
}

/** Reports each configured path that another route has as well. */
export function checkPaths(
  given: PathsConfig,
  fixedPaths: readonly string[],
  report: ReportProblem,
): void {
  const paths: EndpointPaths = { ...pathsDefaults, ...given };
  for (const name of endpointNames.filter((each) => given[each] !== undefined)) {
    const own = patternsOf(name, paths[name]);
    const isTaken = (pattern: string) => own.some((each) => overlaps(each, pattern));
    const other = endpointNames.find((each) =>
      each !== name && patternsOf(each, paths[each]).some(isTaken)
    );
    if (other) report(`paths.${name}`, `is '${paths[name]}', which clashes with paths.${other}`);
    const fixed = [...fixedPaths, ...reservedPaths].find(isTaken);
    if (fixed) report(`paths.${name}`, `is '${paths[name]}', which clashes with '${fixed}'`);
  }
}

function patternsOf(name: EndpointName, path: string): string[] {
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
