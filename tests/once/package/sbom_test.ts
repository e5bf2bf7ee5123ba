import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { optionalPackages } from "../../../scripts/bundle.ts";
import { createSbom, type LockFile } from "../../../scripts/package_files.ts";
import { installPackage } from "../../support/package.ts";

interface Component {
  name: string;
  version: string;
  purl: string;
  scope: string;
  hashes: Array<{ alg: string; content: string }>;
}

async function readPackaged(name: string): Promise<string> {
  return await readFile(join(await installPackage(), "node_modules/hallpass", name), "utf8");
}

async function readComponents(): Promise<Component[]> {
  return JSON.parse(await readPackaged("sbom.cdx.json")).components;
}

describe("The SBOM of the package (CycloneDX 1.6)", () => {
  it("describes this version of hallpass", async () => {
    const sbom = JSON.parse(await readPackaged("sbom.cdx.json"));
    const { version } = JSON.parse(await readPackaged("package.json"));
    assertEquals([sbom.bomFormat, sbom.specVersion, sbom.version], ["CycloneDX", "1.6", 1]);
    assertEquals(sbom.metadata.component.purl, `pkg:npm/hallpass@${version}`);
  });

  it("names the packages in the bundle, as the file of their licenses does", async () => {
    const licenses = await readPackaged("THIRD-PARTY-LICENSES");
    const bundled = (await readComponents()).filter(({ scope }) => scope === "required");
    const licensed = [...licenses.matchAll(/^(\S+) ([\d.]+) \((?:MIT|BSD-2-Clause)\)$/gm)];
    assertEquals(
      bundled.map(({ name, version }) => `${name} ${version}`),
      licensed.map(([, name, version]) => `${name} ${version}`),
    );
    assert(bundled.length >= 6);
  });

  it("names the packages that some installations add", async () => {
    const components = await readComponents();
    const optional = components.filter(({ scope }) => scope === "optional");
    assertEquals(optional.map(({ name }) => name), [...optionalPackages]);
  });

  it("names packages that CONTRIBUTING.md gives a reason for, and no others", async () => {
    const [, table = ""] = (await readFile(".github/CONTRIBUTING.md", "utf8"))
      .split("\n| Package | ");
    const rows = table.split("\n\n", 1)[0]?.split("\n").filter((line) => line.startsWith("| `")) ??
      [];
    const named = rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
    assertEquals((await readComponents()).map(({ name }) => name).sort(), named.sort());
  });

  it("gives each package the hash by which the lock file pins it", async () => {
    const { npm }: LockFile = JSON.parse(await readFile("deno.lock", "utf8"));
    const digests = Object.values(npm).map(({ integrity }) => integrity);
    for (const { name, purl, hashes } of await readComponents()) {
      assertMatch(purl, /^pkg:npm\/(?:%40[\w-]+\/)?[\w.-]+@[\d.]+$/);
      const [{ alg, content } = { alg: "", content: "" }] = hashes;
      const digest = btoa(
        content.replace(/../g, (pair) => String.fromCharCode(parseInt(pair, 16))),
      );
      assertEquals([alg, digests.includes(`sha512-${digest}`)], ["SHA-512", true], name);
    }
  });

  it("lists each reference once, and no other", async () => {
    const sbom = JSON.parse(await readPackaged("sbom.cdx.json"));
    const refs = sbom.dependencies.map(({ ref }: { ref: string }) => ref);
    const [own, ...others] = refs;
    assertEquals(own, sbom.metadata.component["bom-ref"]);
    assertEquals(others, sbom.components.map(({ purl }: Component) => purl));
    assertEquals(sbom.dependencies[0].dependsOn, others);
    assertEquals(new Set(refs).size, refs.length);
  });

  it("cannot be made of a package that is not pinned", () => {
    const unpinned = { name: "left-pad", version: "1.0.0", license: "MIT" };
    const parts = { version: "1.0.0", license: "MIT", optional: [], lock: { npm: {} } };
    assertThrows(() => createSbom({ ...parts, bundled: [unpinned] }), Error, "left-pad@1.0.0");
  });
});
