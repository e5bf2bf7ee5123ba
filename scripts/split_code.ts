import { readFile } from "node:fs/promises";
import { relative } from "node:path";
import process from "node:process";
import { build, type Plugin, type RolldownOptions } from "rolldown";

/** A file of code, as Rolldown splits it. All are in one folder. */
export interface CodeFile {
  name: string;
  text: string;
  exports: readonly string[];
  /** The files that it loads at once. */
  imports: readonly string[];
  /** The files that it loads when they are used. */
  importsLater: readonly string[];
  /** The paths of what is in it: nothing, if it only passes on what others have. */
  modules: readonly string[];
}

/** What is split, and for what. */
export interface SplitOptions extends Pick<RolldownOptions, "external" | "platform"> {
  /** Where the code begins, by the names of the files. */
  input: Record<string, string>;
  target: string;
  plugins?: Plugin[];
  minify?: boolean;
  /** Makes a script or a style smaller that the code serves. */
  shorten?(text: string, loader: "css" | "js"): string;
}

/**
 * Splits code into files: one for each name that `groupOf` returns for the path of a module, and
 * what Rolldown makes of the others.
 */
export async function splitCode(
  { input, target, plugins = [], minify = false, shorten, ...options }: SplitOptions,
  groupOf: (path: string) => string | undefined,
): Promise<CodeFile[]> {
  const { output } = await build({
    ...options,
    input,
    transform: { target, jsx: { runtime: "automatic", importSource: "preact" } },
    plugins: [...plugins, {
      name: "texts",
      load: {
        filter: { id: /[\\/]static[\\/].*\.(?!json)\w+$/ },
        async handler(path) {
          const text = await readFile(path, "utf8");
          const [, loader] = /\.(css|js)$/.exec(path) ?? [];
          const code = shorten && loader ? shorten(text, loader as "css" | "js") : text;
          return { code, moduleType: "text" };
        },
      },
    }],
    // One file for what loads at once may have what others load later.
    checks: { ineffectiveDynamicImport: false },
    tsconfig: false,
    write: false,
    preserveEntrySignatures: "allow-extension",
    output: {
      minify,
      comments: false,
      entryFileNames: "[name].js",
      chunkFileNames: "[name].js",
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{
          debugName: "groups",
          name: (id) => groupOf(pathOf(id)) ?? null,
        }],
      },
    },
  });
  const chunks = output.filter((each) => each.type === "chunk");
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const ofOurs = (names: readonly string[]) => names.filter((name) => own.has(name));
  return chunks.map(({ fileName, code, exports, imports, dynamicImports, moduleIds }) => ({
    name: fileName,
    text: code,
    exports,
    imports: ofOurs(imports),
    importsLater: ofOurs(dynamicImports),
    modules: moduleIds.map(pathOf),
  }));
}

/** Splits code into its modules, without what is not used of each. */
export function splitIntoModules(options: SplitOptions): Promise<CodeFile[]> {
  const entries = Object.values(options.input);
  return splitCode(
    options,
    (path) => entries.includes(path) ? undefined : path.replace(/\W/g, "_"),
  );
}

function pathOf(id: string): string {
  return relative(process.cwd(), id).replaceAll("\\", "/");
}
