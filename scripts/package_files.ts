import type { Metafile } from "esbuild";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The sections of our README that a user of the package needs. */
const readmeSections = ["In a test suite", "In your own program", "License"];

/** Shortens our README for the package, without links and pictures of the repository. */
export function packageReadme(readme: string): string {
  const [head, ...sections] = readme.split(/^(?=## )/m);
  const chosen = readmeSections.map((title) => {
    const section = sections.find((each) => each.startsWith(`## ${title}\n`));
    if (section) return section;
    throw new Error(`README.md has no section '${title}'.`);
  });
  return [head, ...chosen].join("")
    .replace(/^!\[.*\n/gm, "")
    .replace(/\[([^\]]+)\]\((?!https?:)[^)]*\)/g, "$1");
}

/** Returns the licenses of the packages in a bundle. */
export async function licensesOf({ outputs }: Metafile): Promise<string> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((input) => packageFolderOf(input) ?? []));
  const licenses = await Promise.all([...folders].sort().map(licenseOf));
  return licenses.join("\n");
}

function packageFolderOf(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

async function licenseOf(folder: string): Promise<string> {
  const packageJson = await readFile(join(folder, "package.json"), "utf8");
  const { name, version, license } = JSON.parse(packageJson);
  const text = await readFile(join(folder, "LICENSE"), "utf8")
    .catch(() => readFile(join(folder, "LICENSE.md"), "utf8"));
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
