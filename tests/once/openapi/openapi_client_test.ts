import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "node:test";
import createClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { describeInterface } from "../../../src/lab/control/openapi.ts";
import { exampleInput, openSegment } from "../../../src/lab/control/operation_input.ts";
import { openLab } from "../../../src/lab/open_lab.ts";
import { operations } from "../../../src/lab/routes/operation_table.ts";
import { hallpass, type TestLab } from "../../../src/lab/testing/mod.ts";
import { authorizationUrl } from "../../support/login.ts";
import { unprepared } from "../../support/operation_rows.ts";

const issuer = "https://hallpass.test";

/** Operations that need more than this, or that never end. */
const others = [...unprepared, "GET /events"];

// deno-lint-ignore no-explicit-any
type AnyClient = any;

/** Opens a lab with what the examples name. */
async function openPrepared(): Promise<TestLab> {
  const lab = await hallpass({ issuer });
  lab.fault("token.slow", { mayStayIdle: true });
  lab.fault("userinfo.changed", { unset: ["email"], mayStayIdle: true });
  lab.clientDocument({ redirect_uris: ["http://127.0.0.1/callback"] });
  await lab.fetch(`${issuer}/oauth2/authorize?response_type=code&client_id=demo-spa`);
  await lab.snapshot();
  return lab;
}

/** Generates the types of a client, as `npx openapi-typescript` does. */
async function generateTypes(): Promise<string> {
  const document = await describeInterface(issuer, operations);
  return astToString(await openapiTS(JSON.stringify(document)));
}

/** Returns the problems that the TypeScript compiler finds in a program beside the types. */
function compile(types: string, program: string): string[] {
  const options = { strict: true, noLib: true, exactOptionalPropertyTypes: true };
  const text = `${types}\n${library}\n${program}`;
  const host = ts.createCompilerHost(options);
  host.getSourceFile = (name: string, language: ts.ScriptTarget) =>
    name === "program.ts" ? ts.createSourceFile(name, text, language) : undefined;
  const compiled = ts.createProgram(["program.ts"], options, host);
  return compiled.getSemanticDiagnostics()
    .map(({ messageText }: ts.Diagnostic) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}

/** The types of the language that the generated ones use. */
const library = `declare global {
  type Record<Key extends string | number | symbol, Value> = { [Name in Key]: Value };
  interface Array<T> { [index: number]: T }
  interface Boolean {} interface Function {} interface IArguments {} interface Number {}
  interface CallableFunction {} interface NewableFunction {}
  interface Object {} interface RegExp {} interface String {}
}`;

describe("A client generated from the OpenAPI document of a lab", () => {
  for (const operation of operations) {
    const { method, path } = operation;
    if (others.includes(`${method} ${path}`)) continue;

    it(`calls ${method} ${path}`, async () => {
      await using lab = await openPrepared();
      if (operation.path === "/tenants/:id") await lab.tenant({ id: "acme" });
      if (path === "/sign-out") {
        await lab.browser("hers").authorize(authorizationUrl(lab), { user: "alice" });
      }
      const client: AnyClient = createClient({
        baseUrl: `${issuer}/lab`,
        fetch: (request: Request) => lab.fetch(request),
      });
      const segment = openSegment(path);
      const example = exampleInput(openLab({ issuer }), operation);
      const { data, error, response } = await client[method](path.replace(/:(\w+)/, "{$1}"), {
        parseAs: operation.otherFormats?.includes("text/html") ? "text" : "json",
        params: segment === undefined ? {} : { path: { [segment]: example.segment } },
        body: operation.body && example.body,
      });
      assertEquals([response.status, error], [200, undefined]);
      assertEquals(Array.isArray(data), String(operation.returns).endsWith("[]"));
    });
  }

  it("learns why an operation failed", async () => {
    await using lab = await hallpass({ issuer });
    const client: AnyClient = createClient({
      baseUrl: `${issuer}/lab`,
      fetch: (request: Request) => lab.fetch(request),
    });
    const { error, response } = await client.POST("/faults", { body: { name: "none" } });
    assertEquals([response.status, error.error], [400, "invalid_request"]);
    assertMatch(error.error_description, /There is no fault 'none'/);
  });

  const base = `
    type Body<Name extends keyof operations> = operations[Name] extends
      { requestBody?: { content: { "application/json": infer B } } } ? B : never;
    type Result<Name extends keyof operations> = operations[Name] extends
      { responses: { 200: { content: { "application/json": infer R } } } } ? R : never;
    declare const fault: Result<"addFault">;
    declare const requests: Result<"listRequests">;
    declare const tokens: Result<"mintToken">;
  `;

  it("has types of every body, response and setting", async () => {
    const problems = compile(
      await generateTypes(),
      `${base}
      export const mint: Body<"mintToken"> = { sub: "alice", scope: "openid", expiresIn: "-5m" };
      export const settings: Body<"changeSettings"> = { lifetimes: { code: "5s" }, anyClient: true };
      export const client: Body<"putClient"> = { dpop: "required", requirePar: true };
      export const text: string = tokens.token + fault.id;
      export const count: number = fault.fired;
      export const values: string[] | undefined = requests[0]?.allParameters["resource"];
      export type Client = components["schemas"]["ClientConfig"];
      `,
    );
    assertEquals(problems, []);
  });

  const wrong: Array<[code: string, message: RegExp]> = [
    [
      `export const body: Body<"mintToken"> = { scope: "openid" };`,
      /'sub' is missing|Property 'sub'/,
    ],
    [`export const body: Body<"changeSettings"> = { lifetimess: {} };`, /lifetimess/],
    [`export const body: Body<"addFault"> = { name: "userinfo.changed", when: "x" };`, /"x"/],
    [`export const text: string = fault.fired;`, /number/],
  ];
  for (const [code, message] of wrong) {
    it(`does not compile: ${code}`, async () => {
      const [problem = ""] = compile(await generateTypes(), base + code);
      assert(message.test(problem), problem);
    });
  }
});
