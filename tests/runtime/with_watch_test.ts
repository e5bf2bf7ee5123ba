import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { eventually } from "../support/eventually.ts";
import { inFolder } from "../support/folder.ts";
import { type Program, startProgram } from "../support/program.ts";

const issuer = "https://id.example";
const client = { id: "web", redirectUris: ["https://app.example/callback"] };

/** A file that another program replaces, as Kubernetes replaces the files of a ConfigMap. */
async function openConfigMap(folder: string, first: object) {
  const at = (name: string) => join(folder, name);
  let version = 0;
  const write = async (content: string) => {
    version += 1;
    await writeFile(at(`v${version}`), content);
    await symlink(`v${version}`, at("..data_tmp"));
    await rename(at("..data_tmp"), at("..data"));
  };
  await write(JSON.stringify(first));
  await symlink("..data", at("hallpass.json"));
  return { path: at("hallpass.json"), write, put: (next: object) => write(JSON.stringify(next)) };
}

/** Waits for what the program prints, and returns everything that it has printed. */
async function printed({ output }: Program, text: string): Promise<string> {
  await eventually(async () => assertStringIncludes(output(), text));
  return output();
}

async function scopesOf(address: string): Promise<string[]> {
  const response = await fetch(`${address}/.well-known/openid-configuration`);
  return (await response.json()).scopes_supported;
}

describe("hallpass serve --watch", () => {
  it("replaces settings without a lost request, keeps its own instead of invalid ones", async () => {
    await inFolder(async (folder) => {
      const first = { issuer, clients: [client] };
      const file = await openConfigMap(folder, first);
      await using program = await startProgram(
        ["serve", "--config", file.path, "--port", "0", "--watch"],
      );
      let isBusy = true;
      const statuses = new Set<number>();
      const requests = (async () => {
        while (isBusy) {
          const response = await fetch(`${program.address}/oauth2/jwks`);
          statuses.add(response.status);
          await response.body?.cancel();
        }
      })();
      await file.put({ ...first, scopes: { openid: "Sign in", reports: "Read reports" } });
      await printed(program, "hallpass has new settings: scopes");
      assertEquals(await scopesOf(program.address), ["openid", "reports"]);

      await file.put({ ...first, clients: [{ id: 1 }], scopes: [] });
      const output = await printed(program, "The changed configuration has 2 problems.");
      for (const path of ["clients[0].id", "scopes"]) assertStringIncludes(output, `  - ${path}`);
      assertEquals(await scopesOf(program.address), ["openid", "reports"]);

      await file.put({ ...first, issuer: "https://other.example" });
      await printed(program, "A restart is needed for issuer.");
      await writeFile(`${file.path}.new`, JSON.stringify(first));
      await rename(`${file.path}.new`, file.path);
      await printed(program, "hallpass has new settings: scopes\n");
      isBusy = false;
      await requests;
      assertEquals([...statuses], [200]);
      assertEquals(await program.stop(), 0, program.output());
    });
  });
});

describe("hallpass lab --watch", () => {
  it("has new users while it keeps what it recorded", async () => {
    await inFolder(async (folder) => {
      const file = await openConfigMap(folder, { users: [{ name: "ann" }] });
      await using program = await startProgram(
        ["lab", "--config", file.path, "--port", "0", "--watch"],
      );
      await fetch(`${program.issuer}/oauth2/nowhere`).then((response) => response.body?.cancel());
      await file.put({ users: [{ name: "bob" }] });
      await printed(program, "hallpass has new settings: users");
      const users = await (await fetch(`${program.issuer}/lab/users`)).json();
      assertEquals(users.map(({ name }: { name: string }) => name), ["bob"]);
      const requests = await (await fetch(`${program.issuer}/lab/requests`)).text();
      assert(requests.includes("/oauth2/nowhere"), requests);

      await file.put({ users: [{ name: "bob" }], seed: 1 });
      await printed(program, "A restart is needed for seed.");
      await file.put({ users: [{ name: "bob" }, { name: "bob" }] });
      await printed(program, "The changed configuration has 1 problem.");
    });
  });
});
