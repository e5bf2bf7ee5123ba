/** A file without a feature. */
export interface ListsWithout {
  source: string;
  /** The names of the feature with which the file does more than to list them. */
  left: string[];
}

/**
 * Deletes a feature from a file: the statements that import or export something from its folder,
 * and these names where they are elements of lists.
 */
export function deleteLines(source: string, feature: string): ListsWithout {
  const statement = new RegExp(
    `^(?:import|export)\\s(?:type )?\\{([^}]*)\\} from "[^"]*features/${feature}/[^"]*";\\n`,
    "gm",
  );
  const names = [...source.matchAll(statement)]
    .flatMap(([, list = ""]) => list.split(",").map(nameIn).filter(Boolean));
  const rest = [...new Set(names)].reduce(deleteElement, source.replace(statement, ""));
  return {
    source: rest,
    left: names.filter((name) => new RegExp(`\\b${name}\\b`).test(rest)),
  };
}

function nameIn(specifier: string): string {
  return specifier.trim().replace(/^type /, "").split(" as ").at(-1) ?? "";
}

/** Deletes `name,` and `...name,`, or `, name` at the end of a list. */
function deleteElement(source: string, name: string): string {
  const element = `(?:\\.\\.\\.)?\\b${name}\\b`;
  return source
    .replace(new RegExp(`^ *${element},\\n`, "gm"), "")
    .replace(new RegExp(`${element}, |,\\s+${element}(?=[ ;)}\\]])`, "g"), "");
}
