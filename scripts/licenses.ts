import type { Metafile } from "esbuild";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The licences of the packages that a bundle really holds. */
export async function licensesOf({ outputs }: Metafile): Promise<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const packages = new Set(
    inputs.map((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0]).filter((path) =>
      path !== undefined
    ),
  );
  return (await Promise.all([...packages].sort().map(licenseOf))).join("\n");
}

async function licenseOf(folder: string): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  const text = await readFile(join(folder, "LICENSE"), "utf8").catch(() =>
    readFile(join(folder, "LICENSE.md"), "utf8")
  );
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
