import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { packageReadme } from "../package_files.ts";
import { table } from "../references/markdown.ts";

/** A file that a release uploads. */
export interface ReleaseFile {
  name: string;
  /** In bytes. */
  size: number;
  sha256: string;
}

const kilobyte = 1000;

/** Describes files of a folder, in the order of their names. */
export function describeFiles(folder: string, names: readonly string[]): Promise<ReleaseFile[]> {
  return Promise.all(
    names.toSorted().map(async (name) => {
      const content = await readFile(join(folder, name));
      const sha256 = createHash("sha256").update(content).digest("hex");
      return { name, size: content.length, sha256 };
    }),
  );
}

/** Lists the checksums of files as `sha256sum --check` reads them. */
export function checksumsOf(files: readonly ReleaseFile[]): string {
  return files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join("");
}

/** Writes what the page of a release says: what is new, and each file with size and checksum. */
export function releaseNotes(
  { changelog, version, files }: {
    changelog: string;
    version: string;
    files: readonly ReleaseFile[];
  },
): string {
  const rows = files.map((
    { name, size, sha256 },
  ) => [name, `${Math.ceil(size / kilobyte)} kB`, `\`${sha256}\``]);
  // A link to a file of the repository leads nowhere from the page of a release.
  return `${packageReadme(newestPart(changelog, version))}\n\n## Files\n\n` +
    `${table(["File", "Size", "SHA-256"], rows)}\n\n` +
    "`sha256sum --check --ignore-missing SHA256SUMS` compares them. `sbom.cdx.json` lists the " +
    "packages inside (CycloneDX).\n";
}

/** Returns the heading of the newest part of a changelog: `## 0.2.0 - 2027-01-01`. */
export function releaseHeading(
  changelog: string,
): { version: string; date: string } | undefined {
  const [, version, date] = /^## (\S+) - (\S+)$/m.exec(changelog) ?? [];
  return version && date ? { version, date } : undefined;
}

/** Writes the day into the newest heading of a changelog, if that is of the version. */
export function datedChangelog(changelog: string, version: string, day: Date): string {
  if (releaseHeading(changelog)?.version !== version) return changelog;
  return changelog.replace(/^## .*$/m, `## ${version} - ${day.toISOString().slice(0, 10)}`);
}

/** Returns the newest part of the changelog, which must be that of the version. */
function newestPart(changelog: string, version: string): string {
  const [, part = ""] = changelog.split(/^## /m);
  const [heading = "", ...lines] = part.split("\n");
  if (heading.split(" ")[0] !== version) {
    throw new Error(
      `Cannot describe release ${version}: the newest part of the changelog is '${heading}'.`,
    );
  }
  return lines.join("\n").trim();
}
