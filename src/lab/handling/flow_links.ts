import type { FlowLinks } from "../recording/request_scope.ts";
import type { RespondingParts } from "./lab_parts.ts";

/** Returns the links to the page that will show the exchange that begins at a mark, in its flow. */
export function flowLinks(
  { pagesUrl, config }: Pick<RespondingParts, "pagesUrl" | "config">,
  startMark: () => number,
): FlowLinks {
  function flowUrl(): string | undefined {
    const url = pagesUrl();
    return url === undefined ? undefined : `${url}/flows/at-${startMark()}`;
  }
  if (config().errorUri === false) return { flowUrl };
  return {
    flowUrl,
    errorUri(address) {
      const url = flowUrl();
      return url === undefined ? undefined : new URL(url, address).href;
    },
  };
}
