import type { RequestedPath } from "../../config/events.ts";
import type { RoutePattern } from "../../http/router.ts";
import { hideUserCodes } from "../../protocol/user_code.ts";
import { hideRandomText } from "../../util/hide_text.ts";

/** The longest part of an unknown path that is reported, in characters. */
const maxLength = 200;

/**
 * Describes a request for its events. A known path is that of its route, because the path itself
 * may contain the id of an interaction. User codes and random-looking parts of an unknown path are left
 * out: they may be credentials.
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
