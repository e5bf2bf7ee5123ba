import { assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { type Config, standardSchema } from "../../src/server/mod.ts";

describe("standardSchema (Standard Schema, version 1)", () => {
  const { validate, vendor, version } = standardSchema["~standard"];

  it("names its version and vendor", () => {
    assertEquals([version, vendor], [1, "hallpass"]);
  });

  it("returns a valid configuration as it is", () => {
    const config: Config = { issuer: "https://id.example" };
    assertEquals(validate(config), { value: config });
  });

  const redirectUris = ["https://app.example/cb"];
  const problems: Array<[config: object, path: Array<string | number>, message: string]> = [
    [
      { clients: [{ id: 5, redirectUris }] },
      ["clients", 0, "id"],
      "clients[0].id must be a string",
    ],
    [{ clients: [{ redirectUris }] }, ["clients", 0, "id"], "clients[0].id is missing"],
    [{ scopes: { "a.b": 5 } }, ["scopes", "a.b"], "scopes.a.b must be a string or an object"],
    [{ scopes: { "a[0]": 5 } }, ["scopes", "a[0]"], "scopes.a[0] must be a string or an object"],
  ];
  for (const [config, path, message] of problems) {
    it(`reports '${message}' at ${JSON.stringify(path)}`, () => {
      const result = validate({ issuer: "https://id.example", ...config });
      assertEquals(result, { issues: [{ message, path }] });
    });
  }

  it("reports every problem, and what is no object", () => {
    assertEquals(validate({ issuer: 1, clients: 2 }).issues?.length, 2);
    assertEquals(validate(null).issues, [{ message: "must be an object", path: [] }]);
  });
});
