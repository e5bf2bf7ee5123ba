/**
 * Makes everything that a release uploads: the npm package, a binary for each target, the bill of
 * materials, checksums and notes. The same sources and the same Bun give the same files, byte for
 * byte.
 *
 *   deno run --allow-all scripts/release/make_release.ts [--target NAME …] [FOLDER]
 */
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import deno from "../../deno.json" with { type: "json" };
import { compile, succeed } from "../child.ts";
import { checksumsOf, describeFiles, releaseNotes } from "./release_notes.ts";

/** The machines that a binary is made for, as Bun names them. */
const allTargets = [
  "linux-x64",
  "linux-x64-musl",
  "linux-arm64",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
];

const { values, positionals: [folder = "dist/release"] } = parseArgs({
  allowPositionals: true,
  options: { target: { type: "string", multiple: true, default: allTargets } },
});

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await packForNpm();
for (const target of values.target) {
  await compile(join(folder, `hallpass-${target}`), "src/main.ts", [`--target=bun-${target}`]);
}
const files = await describeFiles(folder, await readdir(folder));
const changelog = await readFile(".github/CHANGELOG.md", "utf8");
await writeFile(join(folder, "SHA256SUMS"), checksumsOf(files));
const notes = releaseNotes({ changelog, version: deno.version, files });
await writeFile(join(folder, "NOTES.md"), notes);
console.log((await readdir(folder)).sort().map((name) => join(folder, name)).join("\n"));

async function packForNpm(): Promise<void> {
  const built = join(folder, "npm");
  await succeed([process.execPath, "run", "--allow-all", "--no-check", "scripts/build.ts", built]);
  await succeed(["npm", "pack", resolve(built), "--pack-destination", folder]);
  await copyFile(join(built, "sbom.cdx.json"), join(folder, "sbom.cdx.json"));
  await rm(built, { recursive: true });
}
