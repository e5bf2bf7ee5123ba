/**
 * Measures the test kit of a package in this process, on any runtime, and prints JSON.
 *
 *   node scripts/bench/measure_kit.ts FOLDER first|warm ALG
 */
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { HallpassOptions, TestLab } from "../../src/lab/testing/mod.ts";
import { testClient } from "../../tests/support/test_client.ts";
import { medianOf, repeat } from "../trials/numbers.ts";

const [folder = "", part, alg] = process.argv.slice(2);
const options = { alg } as HallpassOptions;
const client = testClient({ scope: "openid profile" });
const tenants = 200;

const start = performance.now();
const { hallpass }: typeof import("../../src/lab/testing/mod.ts") = await import(
  pathToFileURL(join(resolve(folder), "testing.js")).href
);
console.log(JSON.stringify(part === "first" ? [await firstToken()] : await warmFigures()));

/** Measures everything before the first token: the import, the lab, the key, the signature. */
async function firstToken() {
  const lab = await hallpass(options);
  await mintToken(lab);
  const time = performance.now() - start;
  return ["import, lab and first token, in a fresh process", time, 40];
}

async function mintToken(lab: TestLab): Promise<void> {
  await lab.mint({ sub: "alice", scope: "read" });
}

/** Measures what comes later: names, milliseconds, and what these should stay below. */
async function warmFigures() {
  const lab = await hallpass(options);
  await logIn(lab, "alice");
  const openWithToken = async () => await mintToken(await hallpass(options));
  return [
    ["open a lab", await medianOfCount(500, () => hallpass(options)), 0.2],
    ["open a lab, with a token", await medianOfCount(500, openWithToken), 1],
    ["open a tenant", await medianOfCount(500, () => lab.tenant()), 1],
    ["open a second provider (Entra)", await timeOfProvider("entra"), 1],
    ["a token", await medianOfCount(200, () => mintToken(lab))],
    [`${tenants} tenants, each with a login`, await timeOfLogins(), 2000],
  ];
}

async function medianOfCount(times: number, act: () => Promise<unknown>): Promise<number> {
  return medianOf(await repeat(act, { isOver: (count) => count >= times }));
}

/** Measures a second issuer that plays a provider, in a lab that has few, as in a test. */
async function timeOfProvider(provider: HallpassOptions["provider"]): Promise<number> {
  const lab = await hallpass({ ...options, providers: ["google"] });
  const open = () => lab.tenant({ ...options, id: "second", provider });
  const spans: number[] = [];
  for (let count = 0; count < 300; count++) {
    const start = performance.now();
    const tenant = await open();
    spans.push(performance.now() - start);
    await tenant.close();
  }
  return medianOf(spans);
}

/** Measures many tenants, each with its own user who signs in, all at once. */
async function timeOfLogins(): Promise<number> {
  const lab = await hallpass(options);
  const start = performance.now();
  await Promise.all(Array.from({ length: tenants }, async (_, at) => {
    const user = `user-${at}`;
    await logIn(await lab.tenant({ ...options, users: [{ name: user }] }), user);
  }));
  return performance.now() - start;
}

/** Gets a code, tokens and userinfo. */
async function logIn(lab: TestLab, user: string): Promise<void> {
  const { access_token } = await client.tokens(lab, {}, { user });
  const { sub } = (await client.userinfo(lab, access_token)).body;
  if (sub !== user) throw new Error(`'${user}' was not signed in.`);
}
