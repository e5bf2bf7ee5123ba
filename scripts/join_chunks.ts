import type { BuildOptions } from "esbuild";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { bundle, optionalPackages } from "./bundle.ts";
import { findGroups, findProgramFiles, type Group, loadedAtOnce } from "./chunk_groups.ts";
import { type CodeFile, namesUsed, type Need, requireWhenUsed } from "./code_files.ts";

/** What the names of files begin with that are loaded when something of them is first used. */
const deferred = "(?:login|rare)-for-";

/** How the package is bundled. */
export const packageOptions: BuildOptions = {
  target: "node20.19",
  external: [...optionalPackages],
  legalComments: "none",
  write: false,
};

/** The code of a package, with the chunks that are loaded together in one file. */
export interface JoinedCode {
  /** Bundles everything but the program, as CommonJS. */
  library(): Array<{ name: string; text: string }>;
  /** Bundles the program, which is beside the folder of the library. */
  program(folder: string): string;
}

/** How a file is bundled from its chunks. */
interface Bundling {
  chunks: readonly CodeFile[];
  /** The code that exports what others use of the chunks. */
  entry: string;
  /** Where the chunks are written, and what is made of them. */
  folder: string;
  outfile: string;
  format: "cjs" | "esm";
  /** Whether it imports what may be a module, as a configuration. Jest rejects `import()`. */
  isProgram: boolean;
}

/** What is written of chunks, and in what folder. */
interface ChunkFolder extends Pick<Bundling, "chunks" | "folder" | "format"> {
  /** Matches the names of files that are loaded when something of them is first used. */
  whenUsed: string;
}

/**
 * Joins the chunks that are loaded together. esbuild makes one for each set of entry points and
 * dynamic imports that share code: hundreds, with which Node 24 takes 105 ms to the first token
 * instead of 46 (the least of 15 fresh processes each, 2026-11-26).
 *
 * Each chunk goes to the smallest entry that loads it, so that no entry loads what only a larger
 * one needs. What loads only when it is used stays in files of its own, and what a lab does not
 * need for its first token is loaded when it is first used.
 */
export function joinChunks(
  files: readonly CodeFile[],
  needs: ReadonlyMap<string, Need>,
  work: string,
): JoinedCode {
  const groups = findGroups(files, needs);
  const isOfProgram = findProgramFiles(files);
  const homes = new Map(
    groups.flatMap(({ file, chunks }) => chunks.map(({ name }) => [name, file])),
  );
  const used = namesUsed(files);
  const shortNames = new Map(groups.flatMap(({ chunks }) => nameExports(chunks, used)));
  const alone = files.filter(({ kind }) => kind === "entry" || kind === "later");
  const loaded = [...groups.map(({ file }) => file), ...alone.map(({ name }) => name)];

  return {
    library: () => [
      ...groups.map((group) => ({ name: group.file, text: bundleGroup(group) })),
      ...alone.map((file) => ({ name: file.name, text: bundleAlone(file) })),
    ],
    program(name) {
      const main = files.find(({ kind }) => kind === "program")!;
      const paths = { folder: join(work, name), outfile: join(work, main.name) };
      const entry = `import "./${main.name}";`;
      return bundleChunks({ chunks: [main], entry, ...paths, format: "esm", isProgram: true });
    },
  };

  function bundleGroup({ file, chunks, isProgram }: Group): string {
    const used = namesUsed(files.filter((other) => !chunks.includes(other)));
    const exported = chunks.flatMap(({ name: chunk }) =>
      [...used.get(chunk) ?? []].map((name) => ({ chunk, name, as: nameOf(chunk, name) }))
    );
    const imports = exported.map(({ chunk, name, as }) =>
      `import { ${name} as ${as} } from "./${chunk}";\n`
    );
    const names = exported.map(({ as }) => as).join();
    const entry = `${imports.join("")}module.exports = { ${names} };`;
    return bundleLibrary(file, { chunks, entry, isProgram });
  }

  function bundleAlone(file: CodeFile): string {
    const names = `{ ${file.exports.join()} }`;
    const entry = `import ${names} from "./${file.name}";\nmodule.exports = ${names};`;
    const text = bundleLibrary(file.name, { chunks: [file], entry, isProgram: false });
    return isOfProgram(file) ? withDeferred(file, text) : text;
  }

  function bundleLibrary(
    name: string,
    parts: Pick<Bundling, "chunks" | "entry" | "isProgram">,
  ): string {
    const folder = join(work, basename(name, ".js"));
    return bundleChunks({ ...parts, folder, outfile: join(folder, name), format: "cjs" });
  }

  function bundleChunks({ chunks, entry, folder, outfile, format, isProgram }: Bundling): string {
    const whenUsed = loadedWhenUsed(chunks);
    writeChunks({ folder, chunks, format, whenUsed });
    const others = loaded.filter((name) => chunks.every((chunk) => chunk.name !== name));
    const { outputFiles: [file] = [] } = bundle({
      ...packageOptions,
      stdin: { contents: entry, resolveDir: folder },
      outfile,
      external: [
        ...optionalPackages,
        ...[...others, "../*.json"].map((name) => join(folder, name)),
      ],
      format,
      supported: { "dynamic-import": isProgram },
      logOverride: { "commonjs-variable-in-esm": "silent" },
      minify: true,
      // Runtimes quote the line of an error.
      lineLimit: 1000,
    });
    return requireWhenUsed(file!.text, whenUsed);
  }

  /**
   * Writes chunks, and beside them what they import from other files, under the names of the chunks
   * that it came from: so their code stays as it is.
   */
  function writeChunks({ folder, chunks, format, whenUsed }: ChunkFolder): void {
    mkdirSync(join(folder, "from"), { recursive: true });
    const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
    // For the order of side effects, of which there are none, esbuild imports more than it uses.
    for (const name of chunks.flatMap(({ imports }) => imports)) write(name, "");
    const imported = new Map<string, string[]>();
    for (const [chunk, names] of namesUsed(chunks)) {
      const home = homes.get(chunk)!;
      const passedOn = [...names].map((name) => `${nameOf(chunk, name)} as ${name}`);
      write(chunk, `export { ${passedOn.join()} } from "./from/${home}";`);
      const own = [...names].map((name) => nameOf(chunk, name));
      imported.set(home, [...imported.get(home) ?? [], ...own]);
    }
    for (const [home, names] of imported) {
      const isWhenUsed = new RegExp(whenUsed).test(home);
      write(`from/${home}`, importing(names.join(), `"../${home}"`, isWhenUsed ? "late" : format));
    }
    for (const { name, text } of chunks) write(name, text);
  }

  /**
   * Matches what chunks load only when they use it. Where they load late, a login is likely, unless
   * a token needs them.
   */
  function loadedWhenUsed(chunks: readonly CodeFile[]): string {
    const isLate = chunks.some(({ name, kind }) =>
      needs.get(name) !== "token" &&
      (kind === "later" || homes.get(name)?.startsWith("for-later"))
    );
    return isLate ? 'rare-for-[^"]*' : `${deferred}[^"]*`;
  }

  /**
   * Loads with a command what the library loads of it when it is used. A command may listen, and
   * without free file descriptors it could load nothing for a request.
   */
  function withDeferred(command: CodeFile, text: string): string {
    const loaded = loadedAtOnce(command, files);
    const late = groups.filter(({ file, chunks }) =>
      file.match(`^${deferred}`) && chunks.some((chunk) => loaded.has(chunk))
    );
    return late.map(({ file }) => `require("./${file}");\n`).join("") + text;
  }

  function nameOf(chunk: string, name: string): string {
    return shortNames.get(`${chunk} ${name}`)!;
  }
}

/** Gives what others use of a group's chunks short names. */
function nameExports(
  chunks: readonly CodeFile[],
  used: ReadonlyMap<string, ReadonlySet<string>>,
): Array<[exported: string, name: string]> {
  const exported = chunks.flatMap(({ name }) =>
    [...used.get(name) ?? []].map((each) => `${name} ${each}`)
  );
  return exported.map((each, at) => [each, `_${at.toString(36)}`]);
}

/** A module gets all of a CommonJS file as its default. */
function importing(names: string, from: string, way: "cjs" | "esm" | "late"): string {
  switch (way) {
    case "cjs":
      return `export const { ${names} } = require(${from});`;
    case "esm":
      return `import all from ${from};\nexport const { ${names} } = all;`;
    case "late":
      return `export { ${names} } from ${from};`;
  }
}
