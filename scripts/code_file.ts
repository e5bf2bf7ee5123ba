/** One file of the package, as esbuild splits the code. All are in one folder. */
export interface CodeFile {
  name: string;
  text: string;
  exports: readonly string[];
  /** The files that it loads at once. */
  imports: readonly string[];
  /** The files that it loads when they are used. */
  importsLater: readonly string[];
  /**
   * Whether it is what an import of the package names, the program, what is loaded when it is used,
   * or a chunk, from which only other files import.
   */
  kind: "entry" | "program" | "later" | "chunk";
}

/** An import from another file, as esbuild writes it. */
const importStatement = /^import \{([^}]*)\} from "\.\/([^"]*)";$/gm;

/** Returns the names that files import from each chunk. */
export function namesUsed(files: readonly CodeFile[]): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const statements = files.flatMap(({ text }) => [...text.matchAll(importStatement)]);
  for (const [, list = "", file = ""] of statements) {
    const names = used.get(file) ?? new Set();
    used.set(file, names);
    for (const name of list.split(",")) names.add(name.trim().replace(/ as .*/, ""));
  }
  return used;
}
