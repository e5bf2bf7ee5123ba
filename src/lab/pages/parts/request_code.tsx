/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { RequestCode } from "../../client_role/request_code.ts";
import { CodeBlock } from "./copy_text.tsx";

interface RequestCodesProps {
  /** What the codes send, for the names of their buttons; it begins their ids. */
  what: string;
  id: string;
  codes: readonly RequestCode[];
}

/** The same request in several languages. One is open at a time, without a script, too. */
export function RequestCodes({ what, id, codes }: RequestCodesProps): VNode {
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
