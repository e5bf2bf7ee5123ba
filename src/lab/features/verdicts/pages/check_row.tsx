/** @jsxImportSource preact */
import type { Check } from "../../../findings/finding.ts";
import type { ListRow } from "../../../pages/parts/rows.tsx";

/** The row of a check that found nothing: either is right, or it was not made. */
export function checkRow({ id, title, note, skipped }: Check): ListRow {
  const isSkipped = skipped !== undefined;
  return {
    tone: isSkipped ? "neutral" : "good",
    state: isSkipped ? "Not checked" : "Passed",
    title: <code>{id}</code>,
    note: [`${title}.`, note, skipped].filter(Boolean).join(" "),
  };
}
