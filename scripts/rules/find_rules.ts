import { readdirSync, readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Rule } from "../../src/server/protocol/rule.ts";
import { isObject } from "../../src/server/util/text/json.ts";
import { bundle } from "../bundle.ts";

const output = ".build/rules.mjs";

/**
 * Finds every rule of the sources, exported or not: in one bundle, each constant of a module is a
 * variable at the top, which the bundle then exports.
 */
export async function findRules(): Promise<Rule<never>[]> {
  const files = readdirSync("src", { recursive: true, encoding: "utf8" })
    .map((file) => join("src", file))
    .filter((file) => file.endsWith(".ts") && readFileSync(file, "utf8").includes("ruleSet("));
  const contents = files.map((file) => `import "./${file}";`).join("\n");
  const { outputFiles = [] } = bundle({
    stdin: { contents, resolveDir: "." },
    packages: "external",
    treeShaking: false,
    write: false,
  });
  const code = outputFiles[0]?.text ?? "";
  const names = [...code.matchAll(/^var (\w+) =/gm)].map(([, name]) => name);
  await mkdir(".build", { recursive: true });
  await writeFile(output, `${code}\nexport const constants = [${names.join(", ")}];\n`);
  const { constants } = await import(`${pathToFileURL(resolve(output))}?${Date.now()}`);
  return rulesIn(constants, new Set());
}

function rulesIn(value: unknown, seen: Set<unknown>): Rule<never>[] {
  if (typeof value !== "object" || value === null || seen.has(value)) return [];
  seen.add(value);
  if (isRule(value)) return [value];
  return Object.values(value).flatMap((member) => rulesIn(member, seen));
}

function isRule(value: object): value is Rule<never> {
  return isObject(value) && typeof value.id === "string" && typeof value.holds === "function";
}
