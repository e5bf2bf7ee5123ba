import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { withoutLinks } from "./references/markdown.ts";

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

/** The part of a lock file that an SBOM needs. */
export interface LockFile {
  npm: Record<string, { integrity: string }>;
}

/** What an SBOM is made of. */
export interface SbomParts {
  version: string;
  license: string;
  /** The packages whose code is in ours. */
  bundled: readonly PackageInfo[];
  /** The packages that some installations add. */
  optional: readonly PackageInfo[];
  lock: LockFile;
}

/**
 * Returns the URL of the repository that a package comes from: the one that deno.json names, or the
 * one whose workflow runs. npm refuses provenance for any other. A build elsewhere has none.
 */
export function findRepository(
  declared: string | undefined,
  { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name }: Record<string, string | undefined>,
): string | undefined {
  if (declared !== undefined) return declared;
  return server && name ? `${server}/${name}` : undefined;
}

/** Returns the members of a `package.json` that name the source, the page and the issues. */
export function sourceLinks(repository: string) {
  return {
    repository: { type: "git", url: `git+${repository}.git` },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  };
}

/** Makes the README of the package from its source, without links to files of the repository. */
export function packageReadme(source: string): string {
  return withoutLinks(source, "https?:|#");
}

/** Finds the packages that modules come from. */
export async function packagesIn(modules: readonly string[]): Promise<InstalledPackage[]> {
  const folders = new Set(modules.flatMap((module) => packageFolderOf(module) ?? []));
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

/** Returns a bill of materials (CycloneDX 1.6), the same for the same packages. */
export function createSbom({ version, license, bundled, optional, lock }: SbomParts): object {
  const own = { name: "hallpass", version, license };
  const componentsOf = (packages: readonly PackageInfo[], scope: string) =>
    packages.map((each) => ({ ...componentOf(each), ...lockedHash(each, lock), scope }));
  const components = [
    ...componentsOf(bundled, "required"),
    ...componentsOf(optional, "optional"),
  ];
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: { component: { ...componentOf(own), type: "application" } },
    components,
    dependencies: [
      { ref: purlOf(own), dependsOn: components.map(({ purl }) => purl) },
      ...components.map(({ purl }) => ({ ref: purl })),
    ],
  };
}

function packageFolderOf(path: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}

async function licenseOf({ folder, name, version, license }: InstalledPackage): Promise<string> {
  const text = await readFile(join(folder, "LICENSE"), "utf8")
    .catch(() => readFile(join(folder, "LICENSE.md"), "utf8"));
  return `${name} ${version} (${license})\n\n${text.trim()}\n`;
}

function componentOf(info: PackageInfo) {
  const { name, version, license } = info;
  const purl = purlOf(info);
  const licenses = [{ license: { id: license } }];
  return { type: "library", "bom-ref": purl, name, version, purl, licenses };
}

/** Returns the hash by which the lock file pins a package. */
function lockedHash({ name, version }: PackageInfo, { npm }: LockFile) {
  const exact = `${name}@${version}`;
  const [, entry] = Object.entries(npm).find(([key]) =>
    // What follows names the peers that were found for it.
    key === exact || key.startsWith(`${exact}_`)
  ) ?? [];
  const digest = /^sha512-(.+)$/.exec(entry?.integrity ?? "")?.[1];
  if (digest === undefined) throw new Error(`The lock file does not pin ${exact}.`);
  const content = Buffer.from(digest, "base64").toString("hex");
  return { hashes: [{ alg: "SHA-512", content }] };
}

/** Returns the package URL: a scope's `@` is escaped. */
function purlOf({ name, version }: PackageInfo): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
