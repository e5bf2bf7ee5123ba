/**
 * Measures the kit of a package in this process, on whichever runtime this is, and prints what it found as JSON.
 *
 *   node scripts/measure_kit.ts FOLDER first|warm ALG
 */
import { join, resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import type { HallpassOptions, TestLab } from "../src/testing/mod.ts";

const [folder, what, alg] = process.argv.slice(2);
const options = { alg } as HallpassOptions;
const verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

const started = performance.now();
const { hallpass }: typeof import("../src/testing/mod.ts") = await import(
  pathToFileURL(join(resolve(folder), "testing.js")).href
);
console.log(JSON.stringify(what === "first" ? { first: await firstToken() } : await whenWarm()));

/** From nothing to a token: the import, the lab, the key, the signature. */
async function firstToken(): Promise<number> {
  const lab = await hallpass(options);
  await lab.mint({ sub: "alice", scope: "read" });
  return performance.now() - started;
}

async function whenWarm(): Promise<Record<string, number>> {
  const lab = await hallpass(options);
  await logIn(lab, "alice");
  return {
    open: await each(500, () => hallpass(options)),
    tenant: await each(500, () => lab.tenant()),
    token: await each(200, () => lab.mint({ sub: "alice", scope: "read" })),
    logins: await logInEverywhere(),
  };
}

/** The median time of an act, in milliseconds. */
async function each(times: number, act: () => Promise<unknown>): Promise<number> {
  const spans: number[] = [];
  for (let time = 0; time < times; time++) {
    const began = performance.now();
    await act();
    spans.push(performance.now() - began);
  }
  return spans.sort((a, b) => a - b)[times / 2];
}

/** Two hundred tenants, each with a user of its own who signs in, all at once. */
async function logInEverywhere(): Promise<number> {
  const lab = await hallpass(options);
  const began = performance.now();
  await Promise.all(Array.from({ length: 200 }, async (_, at) => {
    const user = `user-${at}`;
    await logIn(await lab.tenant({ ...options, users: [{ name: user }] }), user);
  }));
  return performance.now() - began;
}

/** Code, tokens and userinfo. */
async function logIn(lab: TestLab, user: string): Promise<void> {
  const redirect_uri = `${lab.issuer}/authorized`;
  const request = {
    response_type: "code",
    client_id: "demo-spa",
    redirect_uri,
    scope: "openid profile",
    state: "a-state",
  };
  const query = new URLSearchParams({
    ...request,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  const { code } = await lab.authorize(`${lab.issuer}/oauth2/authorize?${query}`, { user });
  const form = {
    grant_type: "authorization_code",
    client_id: "demo-spa",
    redirect_uri,
    code: code!,
    code_verifier: verifier,
  };
  const answer = await lab.fetch(`${lab.issuer}/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams(form),
  });
  const { access_token } = await answer.json();
  const info = await lab.fetch(`${lab.issuer}/oauth2/userinfo`, {
    headers: { Authorization: `Bearer ${access_token}` },
  });
  if ((await info.json()).sub !== user) throw new Error(`'${user}' was not signed in.`);
}
