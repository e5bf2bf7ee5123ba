import "./without_workers.ts";
import { transform, type TransformOptions } from "esbuild";
import type { CodeFile } from "./split_code.ts";

/** An import from another file, the exports, and another name in both, as Rolldown writes them. */
const importStatement = /^import (?:(\{[^}]*\}) from )?"\.\/([^"]*)";$/gm;
const exportStatement = /^export \{([^}]*)\};$/gm;
const alias = /(\S+) as ([^\s,]+)/g;

/**
 * Returns a file as CommonJS. It loads files whose names match when something of them is first
 * used: V8 reads every function of a file before the file runs, which is a third of the time until
 * a first token.
 */
export async function toCommonJs(
  { text }: CodeFile,
  whenUsed: RegExp,
  options: TransformOptions = {},
): Promise<string> {
  const withRequire = withImports(
    text,
    (names, file, whole) => whenUsed.test(file) ? whole : `const ${names} = require("./${file}");`,
  );
  const withExports = withRequire.replace(
    exportStatement,
    (_, names: string) => `module.exports = {${names.replace(alias, "$2: $1")}};`,
  );
  const { code } = await transform(withExports, {
    format: "cjs",
    platform: "node",
    supported: { "dynamic-import": false },
    logOverride: { "commonjs-variable-in-esm": "silent" },
    ...options,
  });
  return code.replace(
    /(?<=var |,)([\w$]+)( ?= ?)(require\("\.\/([^"]*)"\))/g,
    (whole, name, equals, loading, file) =>
      whenUsed.test(file)
        ? `${name}${equals}new Proxy({},{get:(target,name)=>(${name}=${loading})[name]})`
        : whole,
  );
}

/**
 * Replaces the imports from other files. What is imported is given as a pattern. For the order of
 * side effects, of which there are none, a file imports more than it uses.
 */
export function withImports(
  text: string,
  importing: (names: string, file: string, whole: string) => string,
): string {
  return text.replace(
    importStatement,
    (whole, names: string | undefined, file: string) =>
      names === undefined ? "" : importing(names.replace(alias, "$1: $2"), file, whole),
  );
}
