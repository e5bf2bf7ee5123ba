import { readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import process from "node:process";
import { compiler, succeed } from "./child.ts";
import { filesIn } from "./files.ts";
import type { PackageEntry } from "./package_code.ts";

const compilerOptions = [
  "--ignoreConfig --noCheck --declaration --emitDeclarationOnly --allowImportingTsExtensions",
  "--resolveJsonModule --module esnext --moduleResolution bundler --target esnext",
  "--jsx react-jsx --jsxImportSource preact --rootDir src",
].join(" ").split(" ");

/**
 * Writes the types of the package into a folder: one file with everything that can be reached from
 * the entry points, types of other packages included, and one for each entry point that exports its
 * part of them. A user needs no other package. `bundler` is the folder of what joins them.
 */
export async function writeDeclarations(
  entries: readonly PackageEntry[],
  folder: string,
  bundler: string,
): Promise<void> {
  const work = join(process.cwd(), ".build", `types-${process.pid}`);
  try {
    const sources = entries.map(({ source }) => source);
    await succeed([...compiler, ...compilerOptions, "--outDir", join(work, "src"), ...sources]);
    const input = Object.fromEntries(entries.map(({ name, source }) => [
      name,
      join(work, "src", relative("src", source).replace(/tsx?$/, "d.ts")),
    ]));
    const out = join(work, "out");
    await succeed(["node", join(bundler, "bundle.mjs"), JSON.stringify(input), out]);
    for (const path of filesIn(out, /\.d\.ts$/)) {
      const target = join(folder, relative(out, path));
      await writeFile(target, compact(await readFile(path, "utf8")));
    }
    let exported = "";
    for (const { name } of entries) {
      exported += await readFile(join(folder, `${name}.d.ts`), "utf8");
      await writeFile(join(folder, `${name}.d.mts`), `export * from "./${basename(name)}.js";\n`);
    }
    const internal = internalTypes(await readFile(join(folder, "types.d.ts"), "utf8"), exported);
    if (internal.length > 0) {
      throw new Error(`Types that people install need what no entry point exports: ${internal}`);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/**
 * Returns what the types of the package declare, and no entry point exports: a type that is read
 * from a constant (`keyof typeof`) needs the types of all its values.
 */
export function internalTypes(types: string, entries: string): string[] {
  const declared = types.matchAll(
    /^(?:declare )?(?:abstract )?(?:class|const|function|interface|type) (\w+)/gm,
  );
  // The English texts of pages are the declaration of all languages.
  const exported = new Set(["en", ...entries.match(/\w+/g) ?? []]);
  return [...declared].map(([, name = ""]) => name).filter((name) => !exported.has(name));
}

/** Shortens declarations: tabs, and the names of the package that people install. */
function compact(text: string): string {
  return text
    .replaceAll("@hallpass/hallpass", "hallpass")
    // Before TypeScript 5.7, it has no type parameter.
    .replaceAll("Uint8Array<ArrayBuffer>", "Uint8Array")
    .replace(/^(?: {4})+/gm, (spaces) => "\t".repeat(spaces.length / 4));
}
