// ts-jest with its defaults: TypeScript to CommonJS, module resolution node10.
import { createServer } from "hallpass";
import { hallpass, type TestLab } from "hallpass/testing";

test("a lab in ts-jest", async () => {
  const lab: TestLab = await hallpass();
  const { access_token }: { access_token: string } = await lab.mint({ sub: "alice" });
  expect(access_token.split(".")).toHaveLength(3);
  await lab.close();
});

test("a server in ts-jest", async () => {
  const server = createServer({ issuer: "https://id.example" });
  const response = await server.fetch(
    new Request("https://id.example/.well-known/openid-configuration"),
  );
  expect((await response.json()).issuer).toBe("https://id.example");
});
