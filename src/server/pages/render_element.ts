import type { VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import type { Page } from "./frame.tsx";

export function renderElement(page: Page): string {
  return renderToString(page as VNode);
}
