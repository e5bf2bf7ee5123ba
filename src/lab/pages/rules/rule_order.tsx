/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { RulePlace } from "../../../server/protocol/rule_catalogue.ts";

/** The rules of an endpoint or a grant, in the order in which they are applied. */
export function RuleOrder({ place: { name, rules } }: { place: RulePlace }): VNode {
  return (
    <details>
      <summary>
        <code>{name}</code> {`${rules.length} rules`}
      </summary>
      <ol>
        {rules.map((id) => (
          <li>
            <a href={`#${id}`}>{id}</a>
          </li>
        ))}
      </ol>
    </details>
  );
}
