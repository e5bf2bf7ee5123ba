import process from "node:process";

/** The version of the package, as in deno.json. Importing that file would bundle all of it. */
export const version = "0.1.0";

/** Returns how the reader can run this program: "deno task hallpass" in a clone. */
export function ownName(script: string | undefined = process.argv[1]): string {
  if (script === undefined) return "hallpass";
  const path = script.replaceAll("\\", "/");
  if (path.endsWith("/src/main.ts")) return "deno task hallpass";
  return path.includes("/node_modules/") ? "npx hallpass" : "hallpass";
}
