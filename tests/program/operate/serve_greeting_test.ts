import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { countDirectory } from "../../../src/program/operate/directory.ts";
import { greetServer } from "../../../src/program/operate/run_serve_command.ts";
import { createFullServer } from "../../../src/server/features.ts";
import { siteAt } from "../../support/site.ts";

const issuer = "https://id.example";
const server = createFullServer({
  issuer,
  clients: [{ id: "a", redirectUris: ["https://a.example/cb"] }],
  users: [{ name: "ann" }, { name: "bob" }],
});

describe("The greeting of hallpass serve (E12)", () => {
  it("shows where it listens, its store, the form of its log, and how many it knows", async () => {
    const running = { server, site: siteAt({ issuer }, { host: "0.0.0.0" }) };
    const counts = await countDirectory(server.context);
    const { text, facts } = greetServer(running, counts, { logLevel: "warn" });
    for (
      const line of [
        "Issuer     https://id.example",
        "Listens    http://0.0.0.0:9000 (every IPv4 address of this machine)",
        "Store      memory",
        "Log        text, from level warn",
        "Clients    1",
        "Users      2",
      ]
    ) assertStringIncludes(text, `  ${line}\n`);
    assertEquals([facts.clients, facts.users, facts.log], [1, 2, "text"]);
  });

  it("shows the port for certificates, if there is one", () => {
    const site = siteAt({ issuer }, { hasTls: true, mtls: { host: "::", port: 9443 } });
    const { text } = greetServer({ server, site }, { clients: 1, users: 2 }, {});
    assertStringIncludes(text, "  mTLS       https://[::]:9443\n");
  });

  it("shows an IPv6 address in brackets, and a port that is the usual one", () => {
    const running = { server, site: siteAt({ issuer }, { host: "::", port: 443, hasTls: true }) };
    const { text } = greetServer(running, { clients: 1, users: 2 }, { log: "off" });
    assertStringIncludes(text, "https://[::]:443 (every address of this machine)\n");
    assertStringIncludes(text, "  Log        off\n");
  });
});
