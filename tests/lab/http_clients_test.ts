import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { describe, it } from "node:test";
import type { LabConfig } from "../../src/lab/lab_config.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { greetLab } from "../../src/program/lab/greeting.ts";
import { ConfigError } from "../../src/server/config/problems.ts";
import type { ClientConfig } from "../../src/server/features.ts";
import { createServer } from "../../src/server/mod.ts";
import { openLabKit } from "../support/kit.ts";
import { registerAt } from "../support/registration.ts";
import { assertLeniency, assertReport } from "../support/reported.ts";
import { hasFeature } from "../support/where_feature.ts";

const redirectUri = "http://app:3000/cb";
const app: ClientConfig = {
  id: "app",
  redirectUris: [redirectUri],
  ...hasFeature("logout") && { postLogoutRedirectUris: ["http://app:3000/"] },
};
const issuer = "http://localhost:9000";
const leniency = "client app: http redirect URIs";

describe("A redirect URI with http in a lab, as between containers", () => {
  it("E8: may be that of a client that the owner configured", async () => {
    const kit = openLabKit({ clients: [app] });
    const parameters = await kit.authorize({ client_id: "app", redirect_uri: redirectUri });
    assert(parameters.get("code"));
    assertReport(kit.lab, { leniencies: [leniency] });
  });

  it("E8: may be that of a client that was added or changed", async () => {
    const kit = openLabKit();
    kit.lab.clients.put(app);
    const parameters = await kit.authorize({ client_id: "app", redirect_uri: redirectUri });
    assert(parameters.get("code"));
    assertReport(kit.lab, { leniencies: [leniency] });
    kit.lab.clients.remove("app");
    assertReport(kit.lab, { leniencies: [] });
  });

  it("E8: may be an additional one of the demo clients, and of a tenant's", async () => {
    const kit = openLabKit({ redirectUris: [redirectUri] });
    assertLeniency(kit.lab, "client demo-spa: http redirect URIs");
    const tenant = await kit.lab.tenant({ clients: [app] });
    assertReport(tenant, { leniencies: [leniency] });
  });

  it("E8: is no leniency on this machine, where it is that of any server", () => {
    const clients = [{ id: "app", redirectUris: ["http://localhost:3000/cb", "com.example:/cb"] }];
    assertReport(openLab({ issuer, clients }), { leniencies: [] });
  });

  it("E8: is not that of a client that registers", async () => {
    const kit = openLabKit({ clients: [app] });
    const { status, body } = await registerAt(kit.server, { redirect_uris: [redirectUri] });
    assertEquals([status, body.error], [400, "invalid_redirect_uri"]);
  });

  const greetings: Array<[what: string, config: Omit<LabConfig, "issuer">, expected: RegExp]> = [
    ["a configured client", { clients: [app] }, /Plain http app: redirect URIs without https/],
    ["the demo clients", { redirectUris: [redirectUri] }, /Plain http demo-spa, .*: redirect URIs/],
    ["no client on this machine", {}, /^(?![^]*Plain http)/],
  ];
  for (const [what, config, expected] of greetings) {
    it(`E8: the greeting names ${what}`, async () => {
      const server = openLab({ issuer, ...config });
      const { text } = await greetLab({ server, address: issuer });
      assertMatch(text, expected);
    });
  }

  it("E8: is refused where the configuration says so", () => {
    const config = { issuer, clients: [app], insecure: { httpRedirectUris: false } };
    assertThrows(() => openLab(config), ConfigError, "which is not loopback");
  });

  it("E8: is refused by a server that is no lab", () => {
    const config = { issuer, clients: [app] };
    assertThrows(() => createServer(config), ConfigError, "which is not loopback");
  });
});
