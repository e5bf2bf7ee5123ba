import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { mtlsSettings } from "../../../src/program/configuration/mtls_settings.ts";
import { inFolder } from "../../support/folder.ts";

describe("The options for mutual TLS", () => {
  it("M08: name the port at the issuer's path", async () => {
    for (const path of ["", "/tenants/a"]) {
      const { mtls } = await mtlsSettings({ mtlsPort: 9443 }, {
        issuer: `https://id.example${path}`,
      });
      assertEquals(mtls, { url: `https://id.example:9443${path}` });
    }
  });

  it("M08: go before the authorities of the file, whose URL may be that of a proxy", async () => {
    await inFolder(async (folder) => {
      const mtlsCa = join(folder, "ca.pem");
      const authorities = "-----BEGIN CERTIFICATE-----";
      await writeFile(mtlsCa, authorities);
      const url = "https://mtls.example";
      const file = { issuer: "https://id.example", mtls: { url, authorities: "of the file" } };
      const { mtls } = await mtlsSettings({ mtlsPort: 9443, mtlsCa }, file);
      assertEquals(mtls, { url, authorities });
    });
  });
});
