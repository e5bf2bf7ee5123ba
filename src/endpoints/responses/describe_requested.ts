import type { RequestedPath } from "../../config/events.ts";
import type { RoutePattern } from "../../http/router.ts";
import { hideUserCodes } from "../../protocol/user_code.ts";
import { hideRandomText } from "../../util/hide_text.ts";

/** The longest part of an unknown path that is reported, in characters. */
const maxLength = 200;

/**
 * Describes a request for its events. A known path is that of its route, because the path itself
 * may contain the id of an interaction. Of an unknown path, user codes and what looks random are left
 * out: it may be a credential that belongs elsewhere.
 */
export function describeRequested(
  method: string,
  path: string | undefined,
  route: RoutePattern | undefined,
): RequestedPath {
  if (route) return { method, path: route.path };
  return { method, path: "unknown", ...path !== undefined && { unknownPath: readable(path) } };
}

function readable(path: string): string {
  const printable = path.replace(/[^\x20-\x7e]/g, "?");
  return hideRandomText(hideUserCodes(printable)).slice(0, maxLength);
}
