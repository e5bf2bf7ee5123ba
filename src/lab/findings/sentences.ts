import type { Basis } from "./finding.ts";
import sentences from "./sentences.json" with { type: "json" };

type Sentences = typeof sentences;

/** A sentence of a specification, by a short name for what it is about. */
export type SentenceName = { [Party in keyof Sentences]: keyof Sentences[Party] }[keyof Sentences];

const all: ReadonlyMap<string, Basis> = new Map(
  Object.entries(sentences).flatMap(([binds, named]) =>
    Object.entries(named).map(([name, text]) => [name, readBasis(binds as Basis["binds"], text)])
  ),
);

/** Returns a sentence with its section, and whom it binds. */
export function basisOf(name: SentenceName): Basis {
  return all.get(name) as Basis;
}

function readBasis(binds: Basis["binds"], text: string): Basis {
  const [see = "", ...why] = text.split(": ");
  return { see, why: why.join(": "), binds };
}
