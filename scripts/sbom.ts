import type { PackageInfo } from "./package_files.ts";

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

/** Returns a bill of materials (CycloneDX 1.6), the same for the same packages. */
export function createSbom({ version, license, bundled, optional, lock }: SbomParts): object {
  const own = { name: "hallpass", version, license };
  const components = [
    ...bundled.map((each) => ({
      ...componentOf(each),
      ...lockedHash(each, lock),
      scope: "required",
    })),
    ...optional.map((each) => ({
      ...componentOf(each),
      ...lockedHash(each, lock),
      scope: "optional",
    })),
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
  const content = Array.from(
    atob(digest),
    (character) => character.charCodeAt(0).toString(16).padStart(2, "0"),
  ).join("");
  return { hashes: [{ alg: "SHA-512", content }] };
}

/** Returns the package URL: a scope's `@` is escaped. */
function purlOf({ name, version }: PackageInfo): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}
