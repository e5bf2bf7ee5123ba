import { assertEquals } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  lacksCertificates,
  mtlsSettings,
  withMtlsPort,
} from "../../../src/program/configuration/mtls_settings.ts";
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

  it("M08: are missing if no certificate can arrive: check and serve warn of that", () => {
    const cases = [
      lacksCertificates({}, {}),
      lacksCertificates({}, { mtls: {} }),
      lacksCertificates({}, { mtls: { url: "https://mtls.example", proxies: [] } }),
      lacksCertificates({ mtlsPort: 9443 }, { mtls: {} }),
      lacksCertificates({}, { mtls: { proxies: "loopback" } }),
    ];
    assertEquals(cases, [false, true, true, false, false]);
  });

  it("M08: put the port that the server got where the URL has 0, and nowhere else", () => {
    const urls = ["https://id.example:0", "https://[::1]:0/t", "https://id.example:9443/t:0"];
    const named = urls.map((url) => withMtlsPort({ mtls: { url } }, 9444).mtls.url);
    assertEquals(named, ["https://id.example:9444", "https://[::1]:9444/t", urls[2]]);
  });
});
