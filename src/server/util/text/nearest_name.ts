/** Returns the name that a misspelled one was probably meant to be, or undefined. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const [nearest] = names
    // There are at least as many edits as the lengths differ, and counting them takes long.
    .filter((each) => Math.abs(name.length - each.length) <= maxEdits(each))
    .map((each) => ({ name: each, edits: countEdits(name.toLowerCase(), each.toLowerCase()) }))
    .filter((each) => each.edits <= maxEdits(each.name))
    .sort((a, b) => a.edits - b.edits);
  return nearest?.name;
}

/** A name with more than a third of its characters wrong is a different name. */
function maxEdits(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

/**
 * Counts the characters to insert, delete, replace or swap with their neighbor until one text is
 * the other (optimal string alignment).
 */
function countEdits(from: string, to: string): number {
  let before: number[] = [];
  let row = [...Array(to.length + 1).keys()];
  for (const [at, character] of [...from].entries()) {
    const next = [at + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (row[column] ?? 0) + (character === other ? 0 : 1);
      const isSwapped = character === to[column - 1] && from[at - 1] === other;
      const swapped = isSwapped ? (before[column - 1] ?? 0) + 1 : Infinity;
      next.push(Math.min(replaced, swapped, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}
