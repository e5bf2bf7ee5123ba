import type { Metafile } from "esbuild";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Makes the README of the package from its source, without links to files of the repository. */
export function packageReadme(source: string): string {
  return source.replace(/\[([^\]]+)\]\((?!https?:|#)[^)]*\)/g, "$1");
}

/** A package, as its own `package.json` describes it. */
export interface PackageInfo {
  name: string;
  version: string;
  license: string;
}

/** A package, and the folder that it is installed in. */
export interface InstalledPackage extends PackageInfo {
  folder: string;
}

/** Finds the packages in a bundle. */
export async function packagesIn({ outputs }: Metafile): Promise<InstalledPackage[]> {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const folders = new Set(inputs.flatMap((input) => packageFolderOf(input) ?? []));
  return await Promise.all([...folders].sort().map(readPackage));
}

/** Reads the description of an installed package. */
export async function readPackage(folder: string): Promise<InstalledPackage> {
  const { name, version, license } = JSON.parse(
    await readFile(join(folder, "package.json"), "utf8"),
  );
  return { name, version, license, folder };
}

/** Returns the licenses of packages as one text. */
export async function licensesOf(packages: readonly InstalledPackage[]): Promise<string> {
  return (await Promise.all(packages.map(licenseOf))).join("\n");
}

function packageFolderOf(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

async function licenseOf({ folder, name, version, license }: InstalledPackage): Promise<string> {
  const text = await readFile(join(folder, "LICENSE"), "utf8")
    .catch(() => readFile(join(folder, "LICENSE.md"), "utf8"));
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}
