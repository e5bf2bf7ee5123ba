import { assertEquals, assertRejects } from "@std/assert";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readConfigFile } from "../../../src/program/configuration/config_file.ts";
import type { BrandConfig } from "../../../src/server/features.ts";
import { inFolder } from "../../support/folder.ts";

const svg = '<svg xmlns="http://www.w3.org/2000/svg"/>';
const css = ".card { border-radius: 0 }";

/** Reads a configuration with a brand, beside a folder with its files. */
async function readBrand(brand: unknown): Promise<BrandConfig | undefined> {
  return await inFolder(async (folder) => {
    await mkdir(join(folder, "brand"));
    await writeFile(join(folder, "brand", "logo.svg"), svg);
    await writeFile(join(folder, "brand", "brand.css"), css);
    const path = join(folder, "hallpass.json");
    await writeFile(path, JSON.stringify({ brand }));
    return (await readConfigFile(path, {})).server.brand;
  });
}

describe("The brand of a configuration file", () => {
  it("names its files by paths below the folder of the file", async () => {
    const brand = { name: "Acme", logo: "brand/logo.svg", stylesheet: "./brand/brand.css" };
    assertEquals(await readBrand(brand), {
      name: "Acme",
      logo: `data:image/svg+xml;base64,${btoa(svg)}`,
      stylesheet: css,
    });
  });

  it("may hold the content itself", async () => {
    const brand = { logo: svg, stylesheet: css };
    assertEquals(await readBrand(brand), brand);
    assertEquals(await readBrand({ logo: "data:image/png;base64,AA==" }), {
      logo: "data:image/png;base64,AA==",
    });
  });

  const refused: Array<[brand: unknown, message: string]> = [
    [{ logo: "brand/missing.svg" }, "The file of brand.logo cannot be read: "],
    [{ logo: "brand/logo.bmp" }, "The file of brand.logo must end in one of: .svg, .png"],
    [{ stylesheet: "missing.css" }, "The file of brand.stylesheet cannot be read: "],
  ];
  for (const [brand, message] of refused) {
    it(`is refused: ${JSON.stringify(brand)}`, async () => {
      await assertRejects(() => readBrand(brand), Error, message);
    });
  }

  it("is left to the checks of the server if it is malformed", async () => {
    for (const brand of ["Acme", { logo: 7 }, { stylesheet: "" }]) {
      assertEquals(await readBrand(brand) as unknown, brand);
    }
  });
});
