/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { DescribedField } from "../protocol/authorization_details.ts";

/** One authorization detail (RFC 9396), with its description. */
export interface DescribedDetail {
  /** The type of the detail. */
  type: string;
  /** The description for the user, or an empty string. */
  meaning: string;
  /** The other members. */
  members: DescribedField[];
}

export function AccessDetail({ type, meaning, members }: DescribedDetail): VNode {
  return (
    <section class="access">
      <h2>
        <bdi>{meaning || type}</bdi>
      </h2>
      <dl class="members" title={type}>
        {members.map(({ name, values }) => (
          <div>
            <dt>
              <code>{withLineBreaks(name)}</code>
            </dt>
            {values.map((value) => (
              <dd>
                <bdi>{value}</bdi>
              </dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Lets the browser break an identifier where one of its parts ends, as after a dot or a slash. */
export function withLineBreaks(identifier: string): VNode {
  const [first, ...others] = identifier.split(/(?<=[./:?&=_-])(?![./:?&=_-]|$)/);
  return (
    <>
      {first}
      {others.map((part) => (
        <>
          <wbr />
          {part}
        </>
      ))}
    </>
  );
}

/** Keeps an option such as `--config` on one line: browsers break a line after its hyphens. */
export function withWholeOptions(text: string): VNode {
  const parts = text.split(/(--[\w-]+)/);
  return <>{parts.map((part, at) => at % 2 === 1 ? <span class="option">{part}</span> : part)}</>;
}
