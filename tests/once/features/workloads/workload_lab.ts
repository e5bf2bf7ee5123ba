import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import process from "node:process";
import { afterEach } from "node:test";
import { hallpass, type TestLab } from "../../../../src/lab/testing/mod.ts";
import { jwtBearerGrantType } from "../../../../src/server/protocol/grant_types.ts";

/** The variables that a test set, with what they were. */
const before = new Map<string, string | undefined>();

/** Returns the variables to what they were after each test. */
export function restoreVariables(): void {
  afterEach(() => {
    for (const [name, value] of before) setVariable(name, value);
    before.clear();
  });
}

/** Opens a lab, and leads libraries to one of its sources. */
export async function openLab(source: string): Promise<TestLab> {
  const lab = await hallpass({ workloads: true, listen: true });
  const workload = (await lab.workloads()).find((each) => each.source === source);
  for (const [name, value] of Object.entries(workload?.environment ?? {})) setForTest(name, value);
  return lab;
}

export function setForTest(name: string, value: string | undefined): void {
  if (!before.has(name)) before.set(name, process.env[name]);
  setVariable(name, value);
}

function setVariable(name: string, value: string | undefined): void {
  if (value === undefined) delete process.env[name];
  else process.env[name] = value;
}

export const tokenEndpoint = ({ issuer }: TestLab) => `${issuer}/oauth2/token`;

/** Presents a token at the lab, which must take it. Before, it refused only what has these titles. */
export async function exchange(
  lab: TestLab,
  assertion: string,
  refused: readonly string[] = [],
): Promise<string> {
  const body = new URLSearchParams({ grant_type: jwtBearerGrantType, assertion });
  const response = await lab.fetch(tokenEndpoint(lab), { method: "POST", body });
  const { access_token, error_description } = await response.json();
  assertEquals([response.status, error_description], [200, undefined]);
  lab.assertClean();
  assertEquals(lab.report().refused.map(({ title }) => title), refused);
  return decodeJwt(access_token).sub ?? "";
}
