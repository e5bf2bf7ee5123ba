import { assert, assertEquals, assertMatch } from "@std/assert";
import { copyFile, readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { compiler } from "../../../scripts/declarations.ts";
import { installPackage, succeed } from "../../support/package.ts";

/** How the runtime of this test runs a file of somebody else's. */
const here = "Deno" in globalThis
  ? [process.execPath, "run", "--allow-all", "--no-check"]
  : [process.execPath];

describe("The npm package", () => {
  it("is below 600 kB, and needs no other package", async () => {
    const folder = await installPackage();
    const installed = (await readdir(join(folder, "node_modules"))).filter((name) =>
      !name.startsWith(".")
    );
    assertEquals(installed, ["hallpass"]);
    const size = await sizeOf(join(folder, "node_modules/hallpass"));
    assert(size < 600_000, `It has ${size} bytes.`);
  });

  it("brings the licences of what it holds", async () => {
    const licenses = await readFile(
      join(await installPackage(), "node_modules/hallpass/THIRD-PARTY-LICENSES"),
      "utf8",
    );
    for (const name of ["jose", "preact", "preact-render-to-string", "srvx"]) {
      assertMatch(licenses, new RegExp(`^${name} [\\d.]+ \\(MIT\\)`, "m"));
    }
  });

  it("runs what the kit promises", async () => {
    const folder = await installPackage();
    await copyFile("tests/examples/ten_lines.ts", join(folder, "ten_lines.ts"));
    const output = await succeed([...here, "ten_lines.ts"], folder);
    assertEquals(JSON.parse(output.trim().split("\n").at(-1)!), {
      token: 3,
      callback: true,
      refused: 500,
      sent: "authorization_code",
      flows: 1,
      clean: true,
      tenant: "https://hallpass.test/t/1",
    });
  });

  it("has a program that helps", async () => {
    const folder = join(await installPackage(), "node_modules/hallpass");
    const { bin, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
    const output = await succeed([...here, join(folder, bin.hallpass), "--help"], folder);
    assertMatch(output, new RegExp(`^Hallpass ${version.replaceAll(".", "\\.")}`));
  });

  for (const [module, resolution] of [["nodenext", "nodenext"], ["esnext", "bundler"]]) {
    it(`has types that an editor can use, resolved as ${resolution} does`, async () => {
      const folder = await installPackage();
      const files = ["ten_lines.ts", "types.ts"];
      for (const file of files) await copyFile(join("tests/examples", file), join(folder, file));
      const options =
        `--ignoreConfig --noEmit --strict --target esnext --module ${module} --moduleResolution ${resolution} --types`
          .split(
            " ",
          );
      await succeed(
        [...compiler, ...options, "", "--lib", "esnext,dom,dom.iterable", ...files],
        folder,
      );
    });
  }
});

describe("The JSR package", () => {
  it("can be published: its exports have types that need no inference", async () => {
    const deno = process.env.HALLPASS_TEST_DENO ?? process.execPath;
    const output = await succeed(
      [deno, "publish", "--dry-run", "--allow-dirty", "--no-check"],
      process.cwd(),
    );
    assertMatch(output, /src\/testing\/mod\.ts/);
    assert(!/tests\/|scripts\//.test(output), "It holds what is not for publishing.");
  });
});

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(entries.map((entry) => stat(join(folder, entry))));
  return sizes.filter((entry) => entry.isFile()).reduce((sum, { size }) => sum + size, 0);
}
