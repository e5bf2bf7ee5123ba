/** @jsxImportSource preact */
import type { VNode } from "preact";

interface CopyTextProps {
  /** What is copied, for the button's name: "client id". */
  what: string;
  text: string;
}

/** A short text with a button that copies it. Without scripts, it can be selected. */
export function CopyText({ what, text }: CopyTextProps): VNode {
  return (
    <span class="copyable">
      <code data-copy={what}>{text}</code>
    </span>
  );
}

/** A block of code, such as a command, with a button that copies it. */
export function CodeBlock({ what, text }: CopyTextProps): VNode {
  return (
    <pre
      class="code"
      tabIndex={0}
      aria-label={what}
    ><code data-copy={what}>{text}</code></pre>
  );
}

/** A button that copies a text of several lines: what the elements beside it show. */
export function CopyAll({ what, text }: CopyTextProps): VNode {
  return <span data-copy={what} data-text={text} />;
}
