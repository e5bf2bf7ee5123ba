import type { WireResponse } from "../recording/exchange.ts";
import { unescapeHtml } from "../util/html_forms.ts";

const titleEnd = / · Hallpass$/;

/** Returns the title of a page that a browser gets. */
export function pageTitleOf({ body }: WireResponse): string | undefined {
  const [, title] = /<title>([^<]*)<\/title>/.exec(body) ?? [];
  return title === undefined ? undefined : unescapeHtml(title).replace(titleEnd, "");
}
