import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { checkLabConfig } from "../../../src/program/lab/lab_settings.ts";
import { openTab } from "../../support/lab_tab.ts";
import { needs } from "../../support/where_feature.ts";

const issuer = "http://localhost:9000";

describe("U6: An identifier on the page Setup", () => {
  it("breaks where one of its parts ends", async () => {
    await using lab = openLab({ issuer });
    const html = await (await (await openTab(lab)).get("/lab/setup")).text();
    const parts = ["http://", "localhost:", "9000/", "oauth2/", "authorize"].join("<wbr/>");
    assertMatch(html, new RegExp(`<code data-copy="authorization_endpoint">${parts}</code>`));
    assertMatch(html, /<code>authorization_<wbr\/>endpoint<\/code>/);
    assertMatch(html, /href="\/lab\/clients\/demo-spa"><code><bdi>demo-<wbr\/>spa</);
  });
});

describe("The state of a lab", () => {
  it("is saved and reset where users and clients are listed", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    const path = "/lab/setup";
    const html = await tab.html(path);
    for (const entry of ["users/alice", "call/put-user", "clients/demo-spa", "call/put-client"]) {
      assertMatch(html, new RegExp(`href="/lab/${entry}"`));
    }
    assertMatch(html, /id="save-configuration" href="\/lab\/state\/configuration"/);
    assertMatch(html, /action="\/lab\/call\/reset"/);
    const response = await tab.post("/lab/call/reset", { back: path });
    assertEquals(response.headers.get("Location"), path);
  });

  it("resets the lab", needs("faults"), async () => {
    await using lab = openLab({ issuer });
    lab.users.put({ name: "dora" });
    lab.fault("token.slow");
    await (await openTab(lab)).post("/lab/call/reset", {});
    assertEquals(lab.users.list().some(({ name }) => name === "dora"), false);
    assertEquals(lab.faults.list(), []);
  });

  it(
    "saves a configuration from which a lab starts with the same users, clients and settings",
    needs("any_client"),
    async () => {
      await using lab = openLab({ issuer, anyClient: true, now: () => 0 });
      lab.users.put({ name: "dora", password: "d", claims: { email: "dora@example.org" } });
      lab.clients.put({
        id: "shop",
        secret: "s".repeat(40),
        redirectUris: ["https://shop.example/"],
      });
      lab.clients.remove("demo-spa");
      lab.configure({ lifetimes: { accessToken: "5m" } });
      const response = await (await openTab(lab)).get("/lab/state/configuration");
      assertMatch(response.headers.get("Content-Disposition") ?? "", /filename="hallpass\.json"/);
      const text = await response.text();
      assertNotMatch(text, /signingKeys|"now"|"issuer"/);
      const { anyClient, ...config } = JSON.parse(text);
      checkLabConfig({ anyClient });
      await using copy = openLab({ issuer, anyClient, ...config });
      assertEquals(copy.users.list(), lab.users.list());
      assertEquals(copy.clients.list(), lab.clients.list());
      assertEquals([anyClient, config.lifetimes], [true, { accessToken: "5m" }]);
    },
  );
});
