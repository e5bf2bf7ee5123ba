import { basename } from "node:path";

/** One file of the package, as esbuild made it. */
export interface CodeFile {
  path: string;
  text: string;
  exports: readonly string[];
  /** Whether it is what an import of the package names, or the program. */
  isEntry: boolean;
  /** Whether only the program loads it. */
  isProgram: boolean;
  /** Whether it holds code of the lab, which people step through in a debugger. */
  isReadable: boolean;
  /** Whether only other files of the package import from it, and statically. */
  isShared: boolean;
}

/** An import from another file of the package, as esbuild writes it. */
export const importStatement: RegExp = /^import \{([^}]*)\} from "(\.[^"]*)";\n/gm;

/** Returns the names that files import from each file. */
export function namesUsed(files: readonly CodeFile[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const [, list = "", path = ""] of files.flatMap(importStatements)) {
    const names = used.get(basename(path)) ?? new Set();
    used.set(basename(path), names);
    for (const { name } of namesIn(list)) names.add(name);
  }
  return used;
}

/** Returns the matches of `importStatement` in a file. */
export function importStatements({ text }: CodeFile): RegExpExecArray[] {
  return [...text.matchAll(importStatement)];
}

/** Returns the names in `a, b as c`. */
export function namesIn(list: string): Array<{ name: string; as: string }> {
  return [...list.matchAll(/([\w$]+)(?: as ([\w$]+))?/g)].map(([, name = "", as = name]) => ({
    name,
    as,
  }));
}
