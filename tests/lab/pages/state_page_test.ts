import { assertEquals, assertMatch, assertNotMatch } from "@std/assert";
import { describe, it } from "node:test";
import { openLab } from "../../../src/lab/open_lab.ts";
import { checkLabConfig } from "../../../src/program/lab/lab_settings.ts";
import { openTab } from "../../support/lab_tab.ts";

const issuer = "http://localhost:9000";

describe("The page of the lab's state", () => {
  it("takes snapshots, and returns to each", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    assertMatch(await tab.html("/lab/state"), /No snapshots yet/);
    const response = await tab.post("/lab/state/snapshot", {});
    assertEquals(response.headers.get("Location"), "/lab/state");
    lab.users.put({ name: "dora" });
    await tab.post("/lab/state/snapshot", {});
    assertMatch(await tab.html("/lab/state"), /snapshot-2<.*snapshot-1</s);
    await tab.post("/lab/state/restore", { snapshot: "snapshot-1" });
    assertEquals(lab.users.list().some(({ name }) => name === "dora"), false);
    await tab.post("/lab/state/restore", { snapshot: "snapshot-2" });
    assertEquals(lab.users.get("dora"), { name: "dora" });
  });

  it("says so if there is no such snapshot, and changes nothing", async () => {
    await using lab = openLab({ issuer });
    const tab = await openTab(lab);
    lab.users.put({ name: "dora" });
    const response = await tab.post("/lab/state/restore", { snapshot: "snapshot-9" });
    assertEquals([response.status, lab.users.get("dora").name], [400, "dora"]);
    assertMatch(await response.text(), /no snapshot &#39;snapshot-9&#39;|no snapshot 'snapshot-9'/);
  });

  it("resets the lab", async () => {
    await using lab = openLab({ issuer });
    lab.users.put({ name: "dora" });
    lab.fault("token.slow");
    await (await openTab(lab)).post("/lab/state/reset", {});
    assertEquals(lab.users.list().some(({ name }) => name === "dora"), false);
    assertEquals(lab.faults.list(), []);
  });

  it("saves a configuration from which a lab starts with the same users, clients and settings", async () => {
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
  });
});
