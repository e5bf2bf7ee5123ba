/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { CoreLab } from "../../core/core_lab.ts";
import { CopyText } from "./copy_text.tsx";

/** Says why a lab reaches nothing outside of it, if it does not, and what runs one that does. */
export function confinedNote({ settings }: CoreLab): VNode | undefined {
  const { confined } = settings.config();
  if (!confined) return undefined;
  return (
    <p class="confined">
      {confined.reason} <CopyText what="command" text={confined.command} />
    </p>
  );
}
