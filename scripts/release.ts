/**
 * Makes everything that a release uploads: the npm package, a binary for each target, and their
 * checksums. The same sources and the same Bun give the same files, byte for byte.
 *
 *   deno task release [--target NAME …] [FOLDER]
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { compile, succeed } from "./child.ts";

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
await writeFile(join(folder, "SHA256SUMS"), await checksums());
console.log((await readdir(folder)).sort().map((name) => join(folder, name)).join("\n"));

async function packForNpm(): Promise<void> {
  const built = join(folder, "npm");
  await succeed([process.execPath, "run", "--allow-all", "--no-check", "scripts/build.ts", built]);
  await succeed(["npm", "pack", resolve(built), "--pack-destination", folder]);
  await rm(built, { recursive: true });
}

/** Lists the files as `sha256sum --check` reads them. */
async function checksums(): Promise<string> {
  const lines = (await readdir(folder)).sort().map(async (name) => {
    const hash = createHash("sha256").update(await readFile(join(folder, name))).digest("hex");
    return `${hash}  ${name}\n`;
  });
  return (await Promise.all(lines)).join("");
}
