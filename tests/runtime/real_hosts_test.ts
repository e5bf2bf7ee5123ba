import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { findFreePort } from "../support/free_port.ts";
import { getAsHost } from "../support/get_as_host.ts";
import { present } from "../support/present.ts";
import { needs } from "../support/where_feature.ts";

const options = { tls: true, hosts: true, provider: "github" } as const;

describe("A lab that listens with the hosts of providers", () => {
  it("is trusted at each of them, and at no other host", needs("providers"), async () => {
    const port = await findFreePort();
    await using lab = await hallpass({ ...options, listen: port });
    const ca = present(lab.ca);
    const user = await getAsHost(port, ca, "https://api.github.com/user");
    assertEquals([user.status, JSON.parse(user.text).message], [401, "Bad credentials"]);
    assertEquals((await getAsHost(port, ca, "https://github.com/login/device")).status, 200);
    await assertRejects(() => getAsHost(port, ca, "https://gist.github.com/"));
  });

  it("opens its interface at localhost alone", needs("providers"), async () => {
    const port = await findFreePort();
    await using lab = await hallpass({ ...options, listen: port });
    const ca = present(lab.ca);
    assertMatch((await getAsHost(port, ca, "https://localhost/lab/clock")).text, /"now"/);
    for (const path of ["/lab", "/lab/clock", "/lab/requests"]) {
      assertEquals((await getAsHost(port, ca, `https://github.com${path}`)).status, 404, path);
    }
  });
});
