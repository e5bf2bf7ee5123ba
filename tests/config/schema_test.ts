import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { labFileSchema } from "../../src/lab/util/lab_schema.ts";
import { programSchema } from "../../src/program/configuration/program_config.ts";
import { userSchema } from "../../src/server/config/config_data.ts";
import { linkSchemas } from "../../src/server/config/link_schemas.ts";
import { toClient } from "../../src/server/config/make_client.ts";
import { checkValue, type ObjectSchema, type Schema } from "../../src/server/config/schema.ts";
import { toUser } from "../../src/server/config/user_config.ts";
import { type ClientConfig, configSchema } from "../../src/server/features.ts";
import { clientDefaults } from "../../src/server/model/client.ts";
import { codeBlocks } from "../support/markdown.ts";
import { offerOf } from "../support/offers.ts";
import { needsSettings } from "../support/where_feature.ts";

const { clients } = configSchema.members;
const clientSchema = (clients?.type === "array" ? clients.items : clients) as ObjectSchema;
const jsonSchema = JSON.parse(readFileSync("static/config.schema.json", "utf8"));
const reference = readFileSync(".github/CONFIGURATION.md", "utf8");

function problemsOf(schema: Schema, value: unknown): string[] {
  const problems: string[] = [];
  checkValue(schema, value, "x", (path, problem) => problems.push(`${path} ${problem}`));
  return problems;
}

describe("linkSchemas", () => {
  it("puts a schema in place of a reference to it", () => {
    const { Config } = linkSchemas({
      Config: { type: "array", items: { ref: "Scope" } },
      Scope: { type: "string" },
    });
    assertEquals(Config, { type: "array", items: { type: "string" } });
  });

  it("links a schema that refers to itself", () => {
    const { Fields } = linkSchemas({ Fields: { type: "map", values: { ref: "Fields" } } });
    assertEquals(problemsOf(Fields, { a: { b: 1 } }), ["x.a.b must be an object"]);
  });
});

describe("checkValue", () => {
  const word: Schema = { type: "enum", values: ["any"] };
  const texts: Schema = { type: "array", items: { type: "string" } };
  const span: Schema = { type: "duration", minimum: 1, maximum: 60 };
  const object: ObjectSchema = {
    type: "object",
    members: { id: { type: "string" }, native: { type: "boolean" } },
    required: ["id"],
  };
  const cases: Array<[schema: Schema, value: unknown, problems: string[]]> = [
    [{ type: "unknown" }, null, []],
    [{ type: "string" }, 5, ["x must be a string"]],
    [{ type: "string" }, "", ["x must not be empty"]],
    [{ type: "string", format: "network" }, "a", [
      "x must be an IP address or a network such as 10.0.0.0/8, not a name",
    ]],
    [{ type: "boolean" }, "true", ["x must be true or false"]],
    [{ type: "function" }, {}, ["x must be a function"]],
    [{ type: "number", minimum: 1 }, 0, ["x must be a number of at least 1"]],
    [{ type: "number", minimum: 1 }, NaN, ["x must be a number of at least 1"]],
    [{ type: "number", minimum: 1 }, Infinity, []],
    [{ type: "integer", minimum: 0 }, 1.5, ["x must be a whole number of at least 0"]],
    [{ type: "integer", minimum: 0, maximum: 9 }, 10, ["x must be a whole number between 0 and 9"]],
    [span, "30s", []],
    [span, 61, ["x must be between 1 and 60 seconds"]],
    [span, "x", ["x must be a duration: seconds, or a string such as 30s, 5m, 1h, 30d"]],
    [span, {}, ["x must be a duration: seconds, or a string such as 30s, 5m, 1h, 30d"]],
    [texts, "a", ["x must be a list of strings"]],
    [{ type: "array", items: { type: "boolean" } }, true, ["x must be a list of booleans"]],
    [{ type: "array", items: { type: "integer", minimum: 0 } }, 1, ["x must be a list of numbers"]],
    [{ type: "array", items: span }, 1, ["x must be a list of durations"]],
    [{ type: "array", items: { type: "anyOf", options: [{ type: "string" }, object] } }, 1, [
      "x must be a list of strings or objects",
    ]],
    [texts, ["a", 1, ""], ["x[1] must be a string", "x[2] must not be empty"]],
    // deno-lint-ignore no-sparse-arrays
    [texts, [, "a"], ["x[0] must be a string"]],
    [{ type: "anyOf", options: [word, texts] }, "any", []],
    [{ type: "anyOf", options: [word, texts] }, ["any"], []],
    [{ type: "anyOf", options: [word, texts] }, "all", ["x must be 'any' or a list of strings"]],
    [{ type: "anyOf", options: [word, texts] }, [1], ["x[0] must be a string"]],
    [{ type: "map", values: { type: "string" } }, { a: 1 }, ["x.a must be a string"]],
    [object, [], ["x must be an object"]],
    [object, { id: "a", native: undefined }, []],
    [object, { nativ: 1 }, [
      "x.nativ is not a setting (did you mean 'native'?). Known settings: id, native",
      "x.id is missing",
    ]],
    [object, { id: "a", constructor: 1 }, [
      "x.constructor is not a setting. Known settings: id, native",
    ]],
  ];
  for (const [schema, value, problems] of cases) {
    it(`reports for ${JSON.stringify(value)}: ${problems.join("; ") || "nothing"}`, () => {
      assertEquals(problemsOf(schema, value), problems);
    });
  }
});

describe("An unknown setting", () => {
  const cases: Array<[schema: Schema, name: string, nearest: string]> = [
    [configSchema, "frontChannel", "frontChannelUrl"],
    [configSchema, "backChannel", "backChannelUrl"],
    [configSchema, "resource", "resources"],
    [clientSchema, "redirectUri", "redirectUris"],
    [clientSchema, "redirect_uris", "redirectUris"],
    [clientSchema, "client_id", "id"],
    [clientSchema, "client_secret", "secret"],
    [clientSchema, "clientSecret", "secret"],
    [clientSchema, "grantType", "grantTypes"],
  ];
  for (const [schema, name, nearest] of cases) {
    it(`is refused with the nearest name: ${name}, ${nearest}`, () => {
      assert(
        problemsOf(schema, { [name]: 1 }).includes(
          `x.${name} is not a setting (did you mean '${nearest}'?)`,
        ),
      );
    });
  }
});

describe("The defaults of a client", () => {
  const secret = "a-secret-that-nobody-may-store";
  const offer = offerOf();

  it("replace what is left out, and what is undefined", async () => {
    const left = await toClient({ id: "a" }, offer);
    const nothing: ClientConfig = JSON.parse(`{"id":"a"}`);
    const undefinedOnes = Object.fromEntries(
      Object.keys(clientDefaults).map((name) => [name, undefined]),
    );
    assertEquals(await toClient({ ...undefinedOnes, ...nothing }, offer), left);
    assertEquals(left.pkce, "required");
    assertEquals(left.responseModes, ["query", "form_post"]);
    assertEquals(left.native, false);
  });

  it("never include the plain secret", async () => {
    const client = await toClient({ id: "a", secret, sectorIdentifierUri: "https://a/" }, offer);
    assertEquals(JSON.stringify(client).includes(secret), false);
    assertEquals("sectorIdentifierUri" in client, false);
  });

  it("never include the plain password of a user", async () => {
    const user = await toUser({ name: "alice", password: secret });
    assertEquals(JSON.stringify(user).includes(secret), false);
  });
});

describe("The JSON Schema of a configuration file", () => {
  /** The members that JSON can hold: all but functions, and objects of functions. */
  const code = ["fetch", "fetchUntrusted", "now", "randomBytes", "onEvent"];
  const objectsOfCode = ["pages", "policies", "routes"];

  it("has every member of a configuration that JSON can hold, and those of the program", () => {
    const members = Object.keys(configSchema.members).filter((name) =>
      ![...code, ...objectsOfCode].includes(name)
    );
    const lab = Object.keys(labFileSchema.members);
    // The configuration of a server has a store as well.
    const { store: _, ...programMembers } = programSchema.members;
    const program = ["$schema", ...Object.keys(programMembers), ...lab];
    assertEquals(Object.keys(jsonSchema.properties).sort(), [...members, ...program].sort());
  });

  it("has every member of a client and of a user, with a description", () => {
    for (const [name, schema] of Object.entries({ Client: clientSchema, User: userSchema })) {
      const { properties } = jsonSchema.definitions[`${name}Config`];
      assertEquals(Object.keys(properties), Object.keys(schema.members));
      for (const [member, property] of Object.entries<{ description?: string }>(properties)) {
        assert(property.description, `${name}.${member} has no description`);
      }
    }
  });

  it("refers only to what it defines", () => {
    const references = [...JSON.stringify(jsonSchema).matchAll(/#\/definitions\/([\w-]+)/g)];
    const names = new Set(references.map(([, name]) => name));
    assertEquals([...names].sort(), Object.keys(jsonSchema.definitions).sort());
  });
});

describe("The reference of the configuration", () => {
  it("describes every setting", () => {
    for (const { members } of [configSchema, clientSchema, userSchema]) {
      for (const name of Object.keys(members)) {
        assert(reference.includes(`| \`${name}\` |`), `${name} is not described`);
      }
    }
  });

  for (const { language, code } of codeBlocks(".github/CONFIGURATION.md")) {
    if (language !== "json") continue;
    const settings = JSON.parse(code);
    it(`shows only settings that exist: ${Object.keys(settings)}`, needsSettings(settings), () => {
      const ofServer = { issuer: "https://id.example", ...readExample(code), store: undefined };
      assertEquals(problemsOf(configSchema, ofServer), []);
    });
  }
});

/** Reads a configuration, with a text in place of each secret that the environment has. */
function readExample(code: string): object {
  return JSON.parse(code.replaceAll(/\{ "env": "\w+" \}/g, '"a-secret-of-22-characters"'));
}
