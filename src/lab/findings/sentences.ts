import type { Basis, FindingClass } from "./finding.ts";
import sentences from "./sentences.json" with { type: "json" };

type Sentences = typeof sentences;

/** A sentence of a specification, by a short name for what it is about. */
export type SentenceName = { [Party in keyof Sentences]: keyof Sentences[Party] }[keyof Sentences];

/** Checks by their ids: `{ expired: attack(…) }`. */
export type CheckTable<Check extends { id: string }> = Readonly<
  Partial<Record<Check["id"], Omit<Check, "id">>>
>;

const all: ReadonlyMap<string, Basis> = new Map(
  Object.entries(sentences).flatMap(([binds, named]) =>
    Object.entries(named).map(([name, text]) => [name, readBasis(binds as Basis["binds"], text)])
  ),
);

/** Returns a sentence with its section, and whom it binds. */
export function basisOf(name: SentenceName): Basis {
  return all.get(name) as Basis;
}

interface BasedRow extends Basis {
  class: FindingClass;
}

/** Makes the row of a check from the sentence that decides and the rest of it. */
export type MakeRow = <Row extends BasedRow>(
  sentence: SentenceName,
  rest: Omit<Row, keyof BasedRow>,
) => Row;

/** What it is if the rule of a check is broken. */
export const attack: MakeRow = rowOf("attack");
export const rule: MakeRow = rowOf("rule");
export const advice: MakeRow = rowOf("advice");
export const note: MakeRow = rowOf("note");

function rowOf(kind: FindingClass): MakeRow {
  return <Row extends BasedRow>(sentence: SentenceName, rest: Omit<Row, keyof BasedRow>) =>
    ({ ...rest, ...basisOf(sentence), class: kind }) as Row;
}

/** Returns the checks of a table, in order. */
export function checksOf<Check extends { id: string }>(table: CheckTable<Check>): Check[] {
  return Object.entries(table).map(([id, row]) => ({ id, ...row as object }) as Check);
}

function readBasis(binds: Basis["binds"], text: string): Basis {
  const [see = "", ...why] = text.split(": ");
  return { see, why: why.join(": "), binds };
}
