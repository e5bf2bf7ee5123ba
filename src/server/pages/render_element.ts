import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Page } from "./frame.tsx";

/** Renders an element as HTML. */
export function renderElement(page: Page): string {
  return renderToString(page as VNode);
}
