import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { openKit } from "../../support/kit.ts";
import { register, sendJson } from "../../support/registration.ts";

/** What was published about peers, where no test of the rule itself carries the name. */

describe("Incidents with registration", () => {
  it("CVE-2026-15572: a registration is changed as what it is, by its own token, or not at all", async () => {
    const kit = openKit();
    const [one, other] = [(await register(kit)).body, (await register(kit)).body];
    const change = (of: typeof one, by: typeof one, client_id = of.client_id) =>
      sendJson(
        kit,
        "PUT",
        of.registration_client_uri,
        { redirect_uris: ["https://app.example/new"], client_id },
        by.registration_access_token,
      );
    assertEquals((await change(one, other)).status, 401);
    assertEquals((await change(one, one, other.client_id)).status, 400);
    assertEquals((await change(one, one, "demo-spa")).status, 400);
    for (const { client_id } of [one, other]) {
      const client = await kit.server.context.records.clients.find(client_id);
      assertEquals(client?.redirectUris, ["https://app.example/cb"]);
    }
  });

  const schemes = ["javascript:alert(1)", "data:text/html,x", "vbscript:x", "file:///x", "blob:x"];
  const members = ["client_uri", "policy_uri", "tos_uri", "jwks_uri"];
  for (const member of ["redirect_uris", ...members]) {
    it(`GHSA-484q-784p-8m5h: no ${member} has a scheme that runs or reads something`, async () => {
      const kit = openKit();
      for (const uri of schemes) {
        const value = member.endsWith("s") ? [uri] : uri;
        const { status, body } = await register(kit, { [member]: value });
        assertEquals([uri, status, body.client_id], [uri, 400, undefined]);
      }
    });
  }

  const hosts = ["localhost.evil.example", "127.0.0.1.evil.example", "evillocalhost", "xlocalhost"];
  for (const host of [...hosts, "localhost-evil.example", "127.0.0.10.example", "127x0x0x1"]) {
    it(`GHSA-46c8-635v-68r2: ${host} is not this machine`, async () => {
      const { body } = await register(openKit(), { redirect_uris: [`http://${host}/cb`] });
      assertEquals(body.error, "invalid_redirect_uri");
      await using lab = openLab({ issuer: "http://localhost:9000" });
      const { status } = await lab.fetch(new Request(`http://${host}:9000/lab/requests`));
      assertEquals(status, 403);
    });
  }
});
