import { once } from "../../util/time/promises.ts";
import type { Context } from "../context.ts";
import { forever } from "./table.ts";

/**
 * Returns a function for the time until which rows of an earlier version may be in use, in
 * milliseconds: for a while after its first call in a store.
 */
export function endOfEarlierRows(
  { records: { completions }, now }: Context,
  id: string,
  span: number,
): () => Promise<number> {
  return once(async () => {
    const at = now() + span;
    await completions.add(id, { passes: 1, at }, forever);
    return (await completions.find(id))?.at ?? at;
  });
}
