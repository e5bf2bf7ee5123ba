import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe } from "node:test";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { createServer } from "../../src/server/mod.ts";
import { itWith } from "../support/it_with.ts";

const it = itWith({ inLab: hallpass });

const descriptionOf = async (response: Response) =>
  (await response.json() as { error_description: string }).error_description;
const post = (url: string) => new Request(url, { method: "POST", body: "x=y" });

describe("A path that does not exist", () => {
  it.inLab("brings the one that was probably meant, in a lab", async (lab) => {
    for (const path of ["/oauth/token", "/token", "/connect/token", "/realms/a/protocol/token"]) {
      const response = await lab.fetch(post(`${lab.issuer}${path}`));
      assertEquals(
        await descriptionOf(response),
        `This URL does not exist. Received: POST ${path}. Expected: an existing URL, such as POST /oauth2/token.`,
        path,
      );
    }
  });

  it.inLab("brings the endpoint rather than a page of a similar name", async (lab) => {
    const response = await lab.fetch(`${lab.issuer}/authorize?client_id=demo-spa`);
    const expected = "an existing URL, such as GET /oauth2/authorize";
    assertStringIncludes((await response.text()).replace(/<[^>]*>/g, ""), expected);
  });

  it.inLab("brings no guess where none is near", async (lab) => {
    for (const path of ["/api/v1/things-of-mine", "/api/", `/${"x".repeat(100_000)}`]) {
      const response = await lab.fetch(post(`${lab.issuer}${path}`));
      assertEquals(
        await descriptionOf(response),
        `This URL does not exist. Received: POST ${path.slice(0, 100)}.`,
      );
    }
  });

  it("says nothing about others in a server", async () => {
    const server = createServer({ issuer: "https://id.example" });
    const response = await server.fetch(post("https://id.example/oauth/token"));
    assertEquals(await descriptionOf(response), "This URL does not exist.");
    await server.close();
  });
});

describe("A wrong method", () => {
  const wrongMethod = (issuer: string) => new Request(`${issuer}/oauth2/token`);

  it.inLab("brings the right one, in a lab, and JSON that ends with a newline", async (lab) => {
    const text = await (await lab.fetch(wrongMethod(lab.issuer))).text();
    assertStringIncludes(text, "POST only. Received: GET. Expected: POST.");
    assert(text.endsWith("}\n"));
  });

  it.inLab("names those that are allowed, below /lab, too (RFC 9110, section 15.5.6)", async (lab) => {
    const response = await lab.fetch(new Request(`${lab.issuer}/lab/users`, { method: "DELETE" }));
    assertEquals([response.status, response.headers.get("Allow")], [405, "GET"]);
  });

  it("brings no guess in a server", async () => {
    const server = createServer({ issuer: "https://id.example" });
    const response = await server.fetch(wrongMethod("https://id.example"));
    assertEquals(await descriptionOf(response), "This URL supports POST only.");
    await server.close();
  });
});

describe("A wrong path or method of the lab's interface", () => {
  it.inLab("brings the operation that was probably meant", async (lab) => {
    const ask = async (method: string, path: string) => {
      const response = await lab.fetch(new Request(`${lab.issuer}/lab${path}`, { method }));
      return [response.status, await descriptionOf(response)];
    };
    const all = "All paths and bodies are in /lab/openapi.json.";
    assertEquals(await ask("POST", "/users"), [
      405,
      `This URL supports GET only. Did you mean PUT /lab/users/:name? ${all}`,
    ]);
    assertEquals(await ask("GET", "/client"), [
      404,
      `This URL does not exist. Did you mean GET /lab/clients? ${all}`,
    ]);
    assertEquals(await ask("DELETE", "/rules"), [405, `This URL supports GET only. ${all}`]);
  });
});
