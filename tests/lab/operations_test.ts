import { assert, assertEquals } from "@std/assert";
import { describe, it } from "node:test";
import { describeInterface } from "../../src/lab/control/openapi.ts";
import type { Lab } from "../../src/lab/lab.ts";
import { openLab } from "../../src/lab/open_lab.ts";
import { operations } from "../../src/lab/routes/operation_table.ts";
import { hallpass } from "../../src/lab/testing/mod.ts";
import { memoryStore } from "../../src/server/mod.ts";
import { schemaProblems } from "../support/json_schema.ts";
import { callLab } from "../support/lab_call.ts";
import {
  type OperationInput,
  type OperationRow,
  operationRows,
  usedLabConfig,
  useLab,
} from "../support/operation_rows.ts";
import { labFixtures } from "./fixtures.ts";

// deno-lint-ignore no-explicit-any
type Json = any;

/** What only HTTP needs, with the reason. */
const onlyOverHttp: Record<string, string> = {
  "GET /events": "in TypeScript, the setting 'onLabEvent' is a function",
  "GET /faults/catalogue": "in TypeScript, the type FaultName lists them",
  "GET /openapi.json": "it describes the interface over HTTP",
  "POST /mcp": "it is for agents, whose protocol it speaks",
};

/** What no other language can have, with the reason. */
const onlyInTypeScript: Record<string, string> = {
  ...Object.fromEntries(labFixtures.flatMap((each) => Object.entries(each.onlyInTypeScript ?? {}))),
  provider: "it is a lab",
  ...{ waitForRequest: "GET /requests waits" },
  ca: "the start of a lab prints it",
  ...{ fetch: "it is HTTP", intercept: "it is for this process", route: "it is for Playwright" },
  close: "the process ends",
};

type Call = (lab: Lab, input: OperationInput) => Promise<unknown>;

/**
 * Plays an input in a lab of its own, and returns the result or the error, and the state of the lab
 * afterwards. All of these labs have the same clock and the same randomness.
 */
async function play(call: Call, input: OperationInput): Promise<[result: unknown, state: unknown]> {
  const log: unknown[] = [];
  await using lab = openLab({
    ...{ ...usedLabConfig, seed: 1, now: () => Date.UTC(2026, 0, 1) },
    ...{ store: notingStore(log), onEvent: (event) => log.push(event) },
  });
  await useLab(lab);
  const result = await call(lab, input) ?? {};
  return JSON.parse(JSON.stringify([result, [await stateOf(lab), log]]));
}

/** Returns a store that notes what is written, one call at a time: a copy has no batches. */
function notingStore(log: unknown[]) {
  const store = memoryStore();
  const noting = (["put", "add", "consume", "delete"] as const).map((name) => [
    name,
    (...values: unknown[]) => {
      log.push([name, ...values]);
      return Reflect.apply(store[name], store, values);
    },
  ]);
  return { ...store, ...Object.fromEntries(noting) };
}

async function stateOf(lab: Lab) {
  const tenants = lab.tenants.ids().map((id) => lab.tenants.find(id));
  const issued = await lab.mint({ kind: "code", user: "alice" }).catch(String);
  return [
    ...[lab.users.list(), lab.clients.list(), lab.clock.now(), lab.clock.frozen, issued],
    ...[lab.settings.read(), lab.handsFreeState, lab.flows()],
    labFixtures.map(({ stateOf }) => stateOf?.(lab)),
    ...[
      lab.requests({ secrets: true }),
      tenants.map((each) => [each.issuer, each.settings.read()]),
    ],
  ];
}

/** Calls an operation over HTTP, and checks that its response is as the OpenAPI document says. */
function callOverHttp(name: string): Call {
  return async (lab, { segment, query, body }) => {
    const search = new URLSearchParams(query);
    const called = `${name.replace(/:\w+/, segment)}?${search}`;
    const { status, headers, json } = await callLab(
      lab,
      called,
      name.startsWith("GET") ? undefined : body,
    );
    if (!/json/.test(headers.get("Content-Type") ?? "")) return json;
    await checkDescribed(name, status, json);
    return status === 200 ? json : { error: json.error_description };
  };
}

async function checkDescribed(name: string, status: number, body: unknown): Promise<void> {
  const [method = "", path = ""] = name.split(" ");
  const { paths, components }: Json = await describeInterface("http://a", operations);
  const { responses } = paths[path.replace(/:(\w+)/, "{$1}")][method.toLowerCase()];
  const { schema } = responses[status].content["application/json"];
  assertEquals(schemaProblems(schema, body, components.schemas), [], name);
}

function callMember({ member }: OperationRow): Call {
  return async (lab, input) => {
    try {
      return await member(lab, input);
    } catch (cause) {
      return { error: (cause as Error).message };
    }
  };
}

function inputsOf({ segments = [""], queries = [{}], bodies = [{}] }: OperationRow) {
  const withQueries = segments.flatMap((segment) => queries.map((query) => ({ segment, query })));
  return withQueries.flatMap((each): OperationInput[] => bodies.map((body) => ({ ...each, body })));
}

describe("What a lab can do", () => {
  for (const { method, path, summary } of operations) {
    const name = `${method} ${path}`;
    const row = operationRows[name];
    if (name in onlyOverHttp) continue;
    const { finding } = row ?? {};
    const titled = finding === undefined ? name : `${finding}: ${name}`;
    it(`is the same in TypeScript and over HTTP: ${titled}: ${summary}`, async () => {
      assert(
        row,
        "The operation has no row in tests/support/operation_rows.ts or the fixtures of a feature.",
      );
      for (const input of inputsOf(row)) {
        const [result, state] = await play(callMember(row), input);
        const [resultOverHttp, stateOverHttp] = await play(callOverHttp(name), input);
        const withoutRandom = (value: unknown) =>
          JSON.parse(JSON.stringify(value).replaceAll(row.random ?? /$^/g, "random"));
        assertEquals(withoutRandom(resultOverHttp), withoutRandom(result), JSON.stringify(input));
        assertEquals(stateOverHttp, state, JSON.stringify(input));
      }
    });
  }

  it("is in a row for each member of the kit, or in TypeScript alone for a reason", async () => {
    await using kit = await hallpass();
    // Each operation has it in its address.
    const used = new Set<string | symbol>(["issuer"]);
    const noting: ProxyHandler<Lab> = {
      get: (lab, name) => (used.add(name), Reflect.get(lab, name)),
    };
    for (const row of Object.values(operationRows)) {
      for (const input of inputsOf(row)) {
        await callMember(row)(new Proxy(openLab(usedLabConfig), noting), input);
      }
    }
    const missing = Object.keys(kit).filter((name) => !used.has(name));
    assertEquals(
      missing.sort(),
      Object.keys(onlyInTypeScript).sort(),
      "A member of the kit is in no row of tests/support/operation_rows.ts or of a feature's fixtures.",
    );
  });

  it("has no row of an operation that does not exist", () => {
    const names = operations.map(({ method, path }) => `${method} ${path}`);
    assertEquals(Object.keys(operationRows).filter((name) => !names.includes(name)), []);
  });
});
