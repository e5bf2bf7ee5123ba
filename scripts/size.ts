/**
 * How large each part of the project is, and may be. A limit may only be lowered; an issue that
 * adds what it names raises one in its first commit, and says so.
 *
 *   deno run --allow-read scripts/size.ts     prints every size with its limit, in one line
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A part of the project, with its size. */
export interface PartSize extends PartLimit {
  size: number;
}

interface PartLimit {
  name: string;
  /** The files that count. */
  files: RegExp;
  unit: "lines" | "bytes";
  limit: number;
}

const limits: readonly PartLimit[] = [
  code("src/administration", 1_117),
  code("src/compat", 406),
  code("src/lab", 45_677),
  code("src/program", 11_724),
  code("src/resource", 1_230),
  code("src/runtime", 1_105),
  code("src/server", 37_277),
  { ...code("src/main.ts", 120), files: /^src\/main\.ts$/ },
  code("scripts", 8_081),
  code("tests", 107_541),
  { name: "static/*.json", files: /^static\/.*\.json$/, unit: "bytes", limit: 483_785 },
  { name: "documents", files: /^(README|\.github\/\w+)\.md$/, unit: "bytes", limit: 436_850 },
];

/** Measures each part of the project in the current folder. */
export function measureParts(): PartSize[] {
  const folders = ["src", "scripts", "tests", "static", ".github"];
  const paths = ["README.md", ...folders.flatMap(filesIn)];
  return limits.map((part) => {
    const texts = paths.filter((path) => part.files.test(path)).map((path) => readFileSync(path));
    const sizes = texts.map((text) => part.unit === "bytes" ? text.length : linesIn(text));
    return { ...part, size: sizes.reduce((sum, size) => sum + size, 0) };
  });
}

/** The TypeScript of a folder. Fixtures, lock files and other data don't count. */
function code(name: string, limit: number): PartLimit {
  return { name, files: new RegExp(`^${name}/.*\\.tsx?$`), unit: "lines", limit };
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => !path.includes("node_modules"))
    .map((path) => join(folder, path));
}

function linesIn(text: Uint8Array): number {
  return text.filter((byte) => byte === "\n".charCodeAt(0)).length;
}

if (import.meta.main) {
  const parts = measureParts().map(({ name, size, limit }) => `${name} ${size}/${limit}`);
  console.log(`Size: ${parts.join(", ")}`);
}
