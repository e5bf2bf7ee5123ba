import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../src/lab/open_lab.ts";

const addresses = { issuer: "http://hallpass:9000", frontChannelUrl: "http://localhost:9000" };

describe("L3: a lab under a host name that an attacker points at this machine (DNS rebinding)", () => {
  const paths = [
    "/",
    "/start",
    "/authorized",
    "/oauth2/jwks",
    "/.well-known/openid-configuration",
    "/static/style.css",
    "/nothing",
  ];
  for (const path of paths) {
    it(`does not show ${path}, and names its addresses`, async () => {
      await using lab = openLab(addresses);
      const response = await lab.fetch(new Request(`http://evil.example:9000${path}`));
      const text = await response.text();
      assertEquals(response.status, 403);
      assertMatch(
        text,
        /'evil\.example'.*http:\/\/hallpass:9000 and http:\/\/localhost:9000.*--issuer/,
      );
      assert(!text.includes("secret"));
    });
  }

  it("is rejected by its tenants too", async () => {
    await using lab = openLab(addresses);
    const tenant = await lab.tenant({ id: "acme" });
    assertEquals((await lab.fetch(new Request("http://evil.example/t/acme/"))).status, 403);
    assertEquals((await tenant.fetch(new Request(`${tenant.issuer}/health`))).status, 200);
  });

  it("reports it to the terminal", async () => {
    const events: string[] = [];
    await using lab = openLab({ ...addresses, onEvent: ({ type }) => events.push(type) });
    await lab.fetch(new Request("http://evil.example/"));
    assertEquals(events, ["request.refused"]);
  });

  const own = [
    "hallpass",
    "localhost",
    "hallpass:1234",
    "127.0.0.1:9000",
    "[::1]:9000",
    "app.localhost",
    "192.168.1.5",
    "[fd00::1]",
  ];
  for (const host of own) {
    it(`responds at ${host}, which is its own address or an IP address`, async () => {
      await using lab = openLab(addresses);
      assertEquals((await lab.fetch(new Request(`http://${host}/health`))).status, 200);
    });
  }
});
