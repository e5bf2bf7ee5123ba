/** @jsxImportSource preact */
import type { ComponentChildren, VNode } from "preact";

/** A name with its value. A fact without a value is left out. */
export type Fact = readonly [name: ComponentChildren, value: ComponentChildren];

interface FactsProps {
  facts: readonly Fact[];
}

/** A list of names and values. */
export function Facts({ facts }: FactsProps): VNode {
  const present = facts.filter(([, value]) =>
    value !== undefined && value !== null && value !== false && value !== ""
  );
  return (
    <dl class="pairs">
      {present.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
