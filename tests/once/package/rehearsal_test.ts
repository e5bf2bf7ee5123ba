import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { describe, it } from "node:test";
import deno from "../../../deno.json" with { type: "json" };
import { packageManagers, tryNpx, tryPackageManager } from "../../../scripts/rehearsal/projects.ts";
import { openRegistry } from "../../../scripts/rehearsal/registry.ts";
import { inFolder } from "../../support/folder.ts";
import { packPackage } from "../../support/package.ts";
import { present } from "../../support/present.ts";

/** `deno task release --rehearse` does the same with the other package managers. */
describe("The package, published to a registry on this machine", () => {
  it("P1: is installed by npm and run by npx, in empty folders", async () => {
    await inFolder(async (folder) => {
      await using registry = await openRegistry(join(folder, "registry"));
      await registry.publish(await packPackage());
      const npm = present(packageManagers.find(({ name }) => name === "npm"));
      const { url } = registry;
      const before = registry.requested.length;
      await tryPackageManager(npm, { project: join(folder, "project"), registry: url });
      // Test runners and clients of databases, which some projects have, made it forty documents.
      const { version } = deno;
      const archive = `/hallpass/-/hallpass-${version}.tgz`;
      assertEquals(registry.requested.slice(before), ["/hallpass", archive]);
      await tryNpx({ folder: join(folder, "npx"), registry: url, version: deno.version });
      const { dist } = await (await fetch(`${url}hallpass/latest`)).json();
      assert(dist.integrity.startsWith("sha512-"), "The registry lists no hash.");
    });
  });
});
