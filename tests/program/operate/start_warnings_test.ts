import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "node:test";
import { labWarnings } from "../../../src/program/lab/run_lab.ts";
import { findWarnings } from "../../../src/program/operate/operation_warnings.ts";
import { startWarnings } from "../../../src/program/operate/run_serve_command.ts";
import { listeningSite } from "../../../src/program/operate/site.ts";
import { type Config, createFullServer } from "../../../src/server/features.ts";
import { siteAt } from "../../support/site.ts";

/** Returns the warnings of `check` about proxies. */
function proxyWarnings(config: Config, hasTls: boolean): string[] {
  const { settings } = createFullServer(config).context;
  const listening = { port: 9000, metrics: undefined, mtls: undefined };
  const site = listeningSite(siteAt(config, { hasTls }), settings, listening);
  return findWarnings({ site, settings }).map(({ message }) => message)
    .filter((text) => /proxy/i.test(text));
}

describe("The warnings of check", () => {
  const cases: Array<[what: string, config: Config, hasTls: boolean, count: number]> = [
    [
      "https without a certificate and without trusted proxies",
      { issuer: "https://id.example" },
      false,
      1,
    ],
    ["a trusted proxy", { issuer: "https://id.example", trustedProxies: ["10.0.0.1"] }, false, 0],
    ["a certificate of its own", { issuer: "https://id.example" }, true, 0],
    ["http on loopback", { issuer: "http://localhost:9000" }, false, 0],
  ];
  for (const [what, config, hasTls, count] of cases) {
    it(`M4: include ${count} about a proxy for ${what}`, () =>
      assertEquals(proxyWarnings(config, hasTls).length, count));
  }
});

describe("A name below localhost (RFC 6761, section 6.3)", () => {
  const names = { "http://auth.localhost:9000": 1, "http://localhost:9000": 0 };
  for (const [issuer, count] of Object.entries(names)) {
    it(`F5: has ${count} warnings as the issuer ${issuer}`, () => {
      const site = siteAt({ issuer });
      const { settings } = createFullServer({ issuer }).context;
      const found = findWarnings({ site, settings })
        .filter(({ message }) => /the hosts file/.test(message));
      assertEquals(found.length, count);
    });
  }
});

describe("The warnings of serve", () => {
  it("repeat none of check: only what a start shows, and the store", async () => {
    const issuer = "https://id.example";
    const server = createFullServer({
      issuer,
      alg: "EdDSA",
      users: [{ name: "alice", claims: { team: "a" } }],
    });
    const site = siteAt({ issuer });
    assertEquals(await startWarnings({ server, site }), []);
    const [unused] = await startWarnings({ server, site: { ...site, lacksCertificates: true } });
    assertStringIncludes(unused ?? "", "no connection can bring a certificate");
    const [about] = await startWarnings({ server, site: { ...site, inContainer: true } });
    assertStringIncludes(about ?? "", "inside a container, only that container reaches the server");
  });
});

describe("The warnings of a lab", () => {
  it("name a claim of a user that no client receives", async () => {
    const server = createFullServer({
      issuer: "https://id.example",
      users: [{ name: "alice", claims: { team: "a" } }],
    });
    const found = await labWarnings({ server, site: siteAt({ issuer: server.issuer }) });
    assertStringIncludes(found.join("\n"), "No client receives the claim 'team' of alice.");
  });

  it("leave out who reaches a container if a shell in it started the lab", () => {
    const issuer = "http://localhost:9000";
    const started = {
      server: createFullServer({ issuer }),
      site: siteAt({ issuer }, { inContainer: true }),
    };
    assertEquals([labWarnings(started).length, labWarnings(started, true).length], [1, 0]);
  });
});
