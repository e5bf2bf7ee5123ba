import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { extentOfClient, extentOfUser } from "../../src/administration/count_extent.ts";
import { describeExtent } from "../../src/administration/extent.ts";
import { openKit } from "../support/kit.ts";
import { present } from "../support/present.ts";

describe("describeExtent", () => {
  it("counts each kind, one and many, and leaves out those without any", () => {
    assertEquals(
      describeExtent({ authorizations: 14, clients: 1, consents: 0 }),
      ["1 client", "14 authorizations"].join(", "),
    );
    assertEquals(describeExtent({ consents: 1, keys: 2 }), "2 keys, 1 remembered consent");
    assertEquals(describeExtent({}), "");
  });
});

describe("What a change ends", () => {
  it("is counted for one client, and for one user", async () => {
    const kit = openKit();
    const { context } = kit.server;
    for (const client_id of ["demo-spa", "demo-web"]) await kit.code({ client_id });
    await kit.code({ client_id: "demo-spa" }, { user: "bob" });
    assertEquals(await extentOfClient(context, "demo-spa"), { authorizations: 2, consents: 2 });
    assertEquals(await extentOfClient(context, "demo-web"), { authorizations: 1, consents: 1 });
    assertEquals(await extentOfClient(context, "demo"), { authorizations: 0, consents: 0 });
    const alice = present(await context.settings.users.get("alice"));
    const expected = { sessions: 2, authorizations: 2, consents: 2 };
    assertEquals(await extentOfUser(context, alice), expected);
  });
});
