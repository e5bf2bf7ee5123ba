import { assertEquals } from "@std/assert";
import { spawn } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { createOutputQueue } from "../../src/program/terminal/output_queue.ts";
import { patience } from "../support/eventually.ts";
import { present } from "../support/present.ts";
import { commandFor } from "../support/program.ts";

/** A stream on which each write lasts until the test ends it. */
function openStream() {
  const writes: string[] = [];
  const ends: Array<() => void> = [];
  const write = (text: string) => {
    writes.push(text);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  /** Ends the current write, and waits until the next one can have begun. */
  const proceed = async () => {
    ends.shift()?.();
    await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { writes, write, proceed };
}

const describeDropped = (lines: number) => `${lines} dropped`;

describe("The output of the program", () => {
  it("is written one write at a time, all of one turn together", async () => {
    const { writes, write, proceed } = openStream();
    const output = createOutputQueue(write, describeDropped);
    for (const line of ["a", "b"]) output.log(line);
    assertEquals(writes, []);
    await proceed();
    for (const line of ["c", "d"]) output.log(line);
    assertEquals(writes, ["a\nb\n"]);
    await proceed();
    assertEquals(writes, ["a\nb\n", "c\nd\n"]);
  });

  it("drops lines of the log that are not read, and counts them", async () => {
    const { writes, write, proceed } = openStream();
    const output = createOutputQueue(write, describeDropped, { maxLength: 10 });
    output.log("first");
    await proceed();
    for (const line of ["1234", "5678", "9", "0"]) output.log(line);
    await proceed();
    output.log("last");
    await proceed();
    assertEquals(writes, ["first\n", "1234\n5678\n2 dropped\n", "last\n"]);
  });

  it("keeps everything that a command prints", async () => {
    const { writes, write, proceed } = openStream();
    const output = createOutputQueue(write, describeDropped, { maxLength: 10 });
    for (const text of ["x".repeat(20), "y".repeat(20)]) output.print(text);
    await proceed();
    assertEquals(writes, [`${"x".repeat(20)}\n${"y".repeat(20)}\n`]);
  });

  it("leaves what waits for the end of the turn to a process that ends, unless a write is open", async () => {
    const { writes, write, proceed } = openStream();
    const output = createOutputQueue(write, describeDropped);
    for (const line of ["a", "b"]) output.log(line);
    assertEquals(output.takeRest(), "a\nb\n");
    assertEquals(output.takeRest(), "");
    await proceed();
    assertEquals(writes, []);
    output.log("c");
    await proceed();
    output.log("d");
    assertEquals(output.takeRest(), "");
  });

  it("collects lines after a write, and writes them when it is flushed", async () => {
    const writes: string[] = [];
    const write = async (text: string) => void writes.push(text);
    const output = createOutputQueue(write, describeDropped, { collectTime: 60_000 });
    output.log("a");
    await output.flush();
    for (const line of ["b", "c"]) {
      output.log(line);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assertEquals(writes, ["a\n"]);
    await output.flush();
    assertEquals(writes, ["a\n", "b\nc\n"]);
  });

  it("is flushed when everything is written, or the reader has gone", async () => {
    const output = createOutputQueue(() => Promise.reject(new Error("EPIPE")), describeDropped);
    output.log("a");
    await output.flush();
    output.log("b");
    await output.flush();
  });
});

/** Runs a lab whose output is read until it is ready, and then only on demand. */
async function withUnread(
  act: (lab: Awaited<ReturnType<typeof start>>) => Promise<void>,
): Promise<void> {
  const lab = await start();
  try {
    await act(lab);
  } finally {
    lab.end();
    await lab.ended;
  }
}

async function start() {
  const [program = "", ...args] = commandFor("src/main.ts");
  const stdio: ["ignore", "pipe", "inherit"] = ["ignore", "pipe", "inherit"];
  const child = spawn(program, [...args, "lab", "--port", "0"], {
    stdio,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  /** Resolves when the output was read to its end, too. */
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let output = "";
  const ready = Promise.withResolvers<string>();
  child.stdout.on("data", (chunk) => {
    output += chunk;
    const [, issuer] = /^hallpass ready (\S+)/m.exec(output) ?? [];
    if (issuer) ready.resolve(issuer);
  });
  const issuer = await ready.promise;
  child.stdout.pause();
  return {
    issuer,
    exited,
    ended,
    output: () => output,
    read: () => void child.stdout.resume(),
    kill: (signal: NodeJS.Signals) => void process.kill(present(child.pid), signal),
    end: () => {
      child.stdout.resume();
      if (child.exitCode === null && child.signalCode === null) {
        process.kill(present(child.pid), "SIGKILL");
      }
    },
  };
}

/** Sends a request that is refused, which writes a line to the log. */
async function refuse(issuer: string, count: number): Promise<void> {
  for (let done = 0; done < count; done += 50) {
    const answers = Array.from(
      { length: 50 },
      () => fetch(`${issuer}/oauth2/token`, { signal: AbortSignal.timeout(patience) }),
    );
    for (const answer of answers) assertEquals((await (await answer).text()).length > 0, true);
  }
}

describe("A server whose log is not read", () => {
  it("keeps serving, and writes the log once it is read", async () => {
    await withUnread(async (lab) => {
      await refuse(lab.issuer, 2000);
      lab.read();
      lab.kill("SIGTERM");
      assertEquals(await lab.ended, 0);
      assertEquals(lab.output().match(/request\.refused/g)?.length, 2000);
    });
  });

  it("can be stopped", async () => {
    await withUnread(async (lab) => {
      await refuse(lab.issuer, 2000);
      lab.kill("SIGTERM");
      assertEquals(await lab.exited, 0);
    });
  });
});
