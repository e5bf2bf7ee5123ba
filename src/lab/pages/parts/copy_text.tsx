/** @jsxImportSource preact */
import type { VNode } from "preact";
import { withLineBreaks } from "../../../server/pages/access_detail.tsx";
import type { RequestCode } from "../../client_role/request_code.ts";
import { maxNameLength, shorten } from "../../flows/flow_story.ts";

interface CopyTextProps {
  /** What is copied, for the button's name: "client id". */
  what: string;
  text: string;
}

/** A short text with a button that copies it. Without scripts, it can be selected. */
export function CopyText({ what, text }: CopyTextProps): VNode {
  return (
    <span class="copyable">
      <code data-copy={what}>{withLineBreaks(text)}</code>
    </span>
  );
}

/** A secret, hidden until it is asked for, so that no screenshot shows it by accident. */
export function Secret({ text }: { text: string }): VNode {
  return (
    <details class="secret">
      <summary aria-label="Show the secret">••••••</summary>
      <code data-copy="secret">{text}</code>
    </details>
  );
}

/** A name from outside. Of one that is cut, the title has the whole. */
export function ShortName({ name }: { name: string }): VNode {
  const title = name.length > maxNameLength ? name : undefined;
  return <bdi title={title}>{withLineBreaks(shorten(name, maxNameLength))}</bdi>;
}

/** A block of code, such as a command, with a button that copies it. */
export function CodeBlock({ what, text, look }: CopyTextProps & { look?: string }): VNode {
  return (
    <pre
      class={look ? `code ${look}` : "code"}
      tabIndex={0}
      aria-label={what}
    ><code data-copy={what}>{text}</code></pre>
  );
}

/** A button that copies a text of several lines: what the elements next to it show. */
export function CopyAll({ what, text }: CopyTextProps): VNode {
  return <span data-copy={what} data-text={text} />;
}

/** The same request in several languages. One is open at a time, without a script, too. */
export function RequestCodes({ what, id, codes }: {
  /** What the codes send, for the names of their buttons; it begins their ids. */
  what: string;
  id: string;
  codes: readonly RequestCode[];
}): VNode {
  return (
    <div class="codes">
      {codes.map(({ language, text }, at) => (
        <details name={id} id={`${id}-${language}`} open={at === 0}>
          <summary>{language}</summary>
          <CodeBlock what={`${what} in ${language}`} text={text} />
        </details>
      ))}
    </div>
  );
}
