/** @jsxImportSource preact */
import type { VNode } from "preact";
import { CodeBlock } from "./copy_text.tsx";

interface JsonProps {
  /** What it is, for the copy button's name: "claims". */
  what: string;
  value: unknown;
}

/** A value as indented JSON. */
export function Json({ what, value }: JsonProps): VNode {
  return <CodeBlock what={what} text={JSON.stringify(value, null, 2) ?? "undefined"} />;
}
