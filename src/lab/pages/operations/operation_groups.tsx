/** @jsxImportSource preact */
import type { VNode } from "preact";
import type { OperationDescription } from "../../core/operation.ts";
import { showValue } from "../../util/json_values.ts";
import { groupBy } from "../../util/lists.ts";
import { inWords } from "../parts/schema_fields.ts";
import { Group } from "../parts/section.tsx";
import { cellOf, type ListEntry, type OperationPlace, valueAt } from "./operation_cells.tsx";
import { titleOf } from "./operation_result.tsx";

/** Many entries in groups, each named by a word of its entries. What a search found is unfolded. */
export function groupedEntries(
  around: OperationPlace,
  operation: OperationDescription,
  found: readonly ListEntry[],
  count: VNode,
): VNode {
  const groupOf = (entry: ListEntry) => operation.page?.groupOf?.(entry as never) ?? "";
  return (
    <div id="entries" data-live>
      <p>{count} {titleOf(operation).toLowerCase()}</p>
      <div class="groups">
        {groupBy(found, groupOf).map((entries) => {
          const name = groupOf(entries[0]);
          const failed = entries.reduce((sum, { failed = 0 }) => sum + Number(failed), 0);
          return (
            <Group
              id={`group-${name}`}
              title={inWords(name)}
              count={entries.length}
              tags={cellOf(around, operation, "failed", failed)}
              isFound={Boolean(around.call.query.get("q"))}
            >
              <ul class="entries">{entries.map((each) => entryItem(around, operation, each))}</ul>
            </Group>
          );
        })}
      </div>
    </div>
  );
}

/** An entry that may say much, or little: its name, its numbers as tags, words, then lists. */
function entryItem(
  around: OperationPlace,
  operation: OperationDescription,
  entry: ListEntry,
): VNode {
  const { key = "", columns = {} } = operation.page ?? {};
  const [title, ...others] = Object.entries(columns).map(([head, member]) => {
    const path = String(member);
    const value = valueAt(entry, path);
    return { head, value, cell: cellOf(around, operation, path, value) };
  });
  const present = others.filter(({ value }) => value !== undefined && value !== 0);
  const tags = present.filter(({ value }) => typeof value === "number");
  const lists = present.filter(({ value }) => Array.isArray(value));
  const words = present.filter((each) => !tags.includes(each) && !lists.includes(each));
  return (
    <li id={showValue(entry[key])}>
      <div>
        <strong>{title?.cell}</strong> <code class="rule">{showValue(entry[key])}</code>{" "}
        {tags.map(({ cell }) => cell)}
        <div class="help">
          {words.map(({ head, cell }, at) => <>{at > 0 && " · "}{head}: {cell}</>)}
        </div>
        {lists.map(({ head, cell }) => <div class="help">{head}: {cell}</div>)}
      </div>
    </li>
  );
}
