import { basePath, pathWithinIssuer } from "../../server/protocol/issuer_url.ts";
import type { EvaluatedRefusal } from "../control/evaluation.ts";
import { findEndpointUrl, listEndpoints } from "../dialect/lab_endpoints.ts";
import type { RehearsedParts } from "./rehearsed_parts.ts";

/** Returns a refusal at the path that clients use: a rehearsal sends its requests to the server. */
export function atClientPath(
  { server, powers }: RehearsedParts,
  refusal: EvaluatedRefusal,
): EvaluatedRefusal {
  const { context } = server.current();
  const base = basePath(context.settings.issuer);
  const pathOf = (url: string) => {
    const { pathname } = new URL(url);
    return pathWithinIssuer(pathname, base) ?? pathname;
  };
  const [method, path] = refusal.at.split(" ");
  const own = listEndpoints({ context }).find(({ url }) => pathOf(url) === path);
  const url = own && findEndpointUrl({ context, settings: { config: powers } }, own.name);
  return url === undefined ? refusal : { ...refusal, at: `${method} ${pathOf(url)}` };
}
