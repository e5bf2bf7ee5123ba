import process from "node:process";

export { version } from "../../runtime/version.ts";

/** Returns how the reader can run this program: "deno task hallpass" in a clone. */
export function ownName(script: string | undefined = process.argv[1]): string {
  if (script === undefined) return "hallpass";
  const path = script.replaceAll("\\", "/");
  if (path.endsWith("/src/main.ts")) return "deno task hallpass";
  return path.includes("/node_modules/") ? "npx hallpass" : "hallpass";
}
