import { assertEquals, assertMatch } from "@std/assert";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe } from "node:test";
import { openFolder } from "../support/folder.ts";
import { serverAt } from "../support/http.ts";
import { itWith } from "../support/it_with.ts";
import { serveDocument } from "../support/listen.ts";
import { startProgram } from "../support/program.ts";
import { testClient } from "../support/test_client.ts";

const client = testClient({ redirect_uri: "http://127.0.0.1:4711/cb", scope: "openid" });

const it = itWith({ withClient: () => serveDocument() });

describe("A client whose document is on this machine", () => {
  it.withClient("gets tokens from a lab on this machine", async ({ clientId: client_id, asked }) => {
    await using lab = await startProgram(["lab", "--port", "0", "--alg", "ES256"]);
    const server = serverAt(lab.issuer);
    const code = await client.code(server, { client_id });
    const { status } = await client.redeem(server, code, { client_id });
    assertEquals([status, asked()], [200, 1]);
  });

  it.withClient("L3: is not fetched for a page of another origin", async ({ clientId: client_id, asked }) => {
    const lab = await startProgram(["lab", "--port", "0", "--alg", "ES256"]);
    const push = async (Origin: string) => {
      const { status } = await client.push(serverAt(lab.issuer), { client_id }, { Origin });
      return [status, asked()];
    };
    const pushed = [await push("https://evil.example"), await push("http://localhost:3000")];
    await lab.stop();
    assertEquals(pushed, [[401, 0], [201, 1]]);
    assertMatch(lab.output(), /page of another origin/);
  });

  it.withClient("is not fetched by a strict server", async ({ clientId: client_id, asked }) => {
    await using opened = await openFolder();
    const path = join(opened.folder, "hallpass.json");
    const config = { port: 0, alg: "ES256", clientMetadataDocuments: true };
    await writeFile(path, JSON.stringify(config));
    const { issuer, stop, output } = await startProgram(["serve", "--config", path]);
    for (const id of [client_id, client_id.replace("http:", "https:")]) {
      const url = client.authorizationUrl({ issuer }, { client_id: id });
      assertEquals((await serverAt(issuer).browser().open(url)).status, 400);
    }
    await stop();
    assertEquals(asked(), 0);
    assertMatch(output(), /has no public address/);
  });
});
