// A suite that does what MODE says.
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";

const { ISSUER: issuer, MODE, FOLDER } = process.env;
const metadata = async () =>
  await (await fetch(`${issuer}/.well-known/openid-configuration`)).json();

const modes = {
  passes: metadata,
  /** Sends nothing. */
  silent() {},
  fails() {
    console.log("access_token=a-token-that-nobody-may-see-1 in the output");
    process.exit(3);
  },
  /** Fails if it knows what only Hallpass itself may know. */
  async environment() {
    await metadata();
    const own = Object.keys(process.env).filter((name) => name.startsWith("HALLPASS_"));
    if (own.length > 0) process.exit(1);
  },
  /** Passes, but under a fault it never ends, nor does the process that it has started. */
  async hangs() {
    if ((await metadata()).issuer !== issuer) await startAndWait();
  },
  /** Never ends. */
  async waits() {
    await metadata();
    await startAndWait();
  },
};

async function startAndWait() {
  const endless = "setInterval(() => {}, 1000)";
  const isDeno = "Deno" in globalThis;
  const child = spawn(process.execPath, isDeno ? ["eval", endless] : ["-e", endless], {
    detached: true,
    stdio: "ignore",
  });
  writeFileSync(`${FOLDER}/pid`, String(child.pid));
  await new Promise(() => setInterval(() => {}, 1000));
}

await modes[MODE]();
