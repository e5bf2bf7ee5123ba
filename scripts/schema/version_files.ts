import { readFileSync } from "node:fs";
import deno from "../../deno.json" with { type: "json" };

/** Where the version is written besides deno.json, each with what surrounds it. */
const places: Readonly<Record<string, RegExp>> = {
  "scripts/Dockerfile": /(?<=^ARG VERSION=).+$/gm,
  "src/runtime/version.ts": /(?<=version = ")[^"]+/g,
};

/** Returns the files that repeat the version of deno.json, by their paths. */
export function versionFiles(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(places).map(([path, version]) => [
      path,
      readFileSync(path, "utf8").replaceAll(version, deno.version),
    ]),
  );
}
