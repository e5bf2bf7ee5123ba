import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { frontPages } from "../../src/lab/routes/front_pages.tsx";
import { isFrontPath } from "../../src/lab/routes/load_pages.ts";

describe("isFrontPath", () => {
  it("recognizes the path of every front page, before their code is loaded", () => {
    for (const { path } of frontPages) assert(isFrontPath(path.replace(":file", "x.css")), path);
  });

  it("recognizes no path of the protocol, whose requests load no page", () => {
    const paths = ["/oauth2/token", "/oauth2/authorize", "/.well-known/openid-configuration"];
    assertEquals(paths.filter(isFrontPath), []);
  });
});
