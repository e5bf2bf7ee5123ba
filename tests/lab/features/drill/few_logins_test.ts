import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { openSite, siteOrigin } from "../../../corpus/broken/open_site.ts";
import { call } from "../../../corpus/harness/measured_lab.ts";

/** Drills a correct application. Returns how many logins begin there, and how many end there. */
async function countLogins(only?: readonly string[]): Promise<{ begun: number; ended: number }> {
  await using lab = await openSite();
  const paths: string[] = [];
  const route = lab.site.route.bind(lab.site);
  lab.site.route = (request, url) => {
    paths.push(url.pathname);
    return route(request, url);
  };
  const [start, refresh, logout] = ["/account", "/refresh", "/logout"].map((path) =>
    siteOrigin + path
  );
  await call(lab, "POST /drill", { start, check: start, refresh, logout, only });
  const count = (path: string) => paths.filter((each) => each === path).length;
  return { begun: count("/login"), ended: count("/callback") };
}

describe("The logins of a drill", () => {
  it("are at most 250", async () => {
    const { begun } = await countLogins();
    assert(begun > 100 && begun <= 250, `${begun} logins`);
  });

  it("show what the pages of two users share once, for all checks that need it", async () => {
    const alone = await countLogins(["unfinished_login"]);
    const both = await countLogins(["unfinished_login", "path_spelling"]);
    assertEquals(both.ended, alone.ended);
  });
});
