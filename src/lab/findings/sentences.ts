import type { Basis } from "./finding.ts";
import type { RowClass } from "./grade.ts";
import sentences from "./sentences.json" with { type: "json" };

type Sentences = typeof sentences;

/** A sentence of a specification, by a short name for what it is about. */
export type SentenceName = { [Party in keyof Sentences]: keyof Sentences[Party] }[keyof Sentences];

/** Checks by their ids: `{ expired: attack(…) }`. */
export type CheckTable<Check extends { id: string }> = Readonly<
  Partial<Record<Check["id"], Omit<Check, "id">>>
>;

type BasedRow = Basis & Pick<RowClass, "rule">;

/** Makes the row of a check from the sentence that decides and the rest of it. */
export type MakeRow<Name extends string> = <Row extends BasedRow>(
  sentence: Name,
  rest: Omit<Row, keyof BasedRow>,
) => Row;

/** Makes rows of checks, by what the sentence says: that it must, should, or may be so. */
export interface CheckRows<Name extends string> extends Record<RowClass["rule"], MakeRow<Name>> {
  /** Returns a sentence with its section, and whom it binds. */
  basisOf(name: Name): Basis;
}

/** Returns what makes rows from sentences: those of APIs load with the drill of an API. */
export function checkRows<Name extends string>(
  sentences: Partial<Record<Basis["binds"], object>>,
): CheckRows<Name> {
  const all = new Map(
    Object.entries(sentences).flatMap(([binds, named]) =>
      Object.entries(named).map(([name, text]) => [name, readBasis(binds as Basis["binds"], text)])
    ),
  );
  const basisOf = (name: Name) => all.get(name) as Basis;
  const rowOf =
    (rule: RowClass["rule"]): MakeRow<Name> =>
    <Row extends BasedRow>(sentence: Name, rest: Omit<Row, keyof BasedRow>) =>
      ({ ...rest, ...basisOf(sentence), rule }) as Row;
  return { basisOf, must: rowOf("must"), should: rowOf("should"), may: rowOf("may") };
}

export const { basisOf, must, should, may }: CheckRows<SentenceName> = checkRows(sentences);

/** Returns the checks of a table, in order. */
export function checksOf<Check extends { id: string }>(table: CheckTable<Check>): Check[] {
  return Object.entries(table).map(([id, row]) => ({ id, ...row as object }) as Check);
}

function readBasis(binds: Basis["binds"], text: string): Basis {
  const [see = "", ...why] = text.split(": ");
  return { see, why: why.join(": "), binds };
}
