import { assert } from "@std/assert";
import fc from "fast-check";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { bundle, optionalPackages } from "../../../scripts/bundle.ts";
import { binary } from "../../../scripts/downloads.ts";
import malformedFraming from "../../corpora/malformed_framing.json" with { type: "json" };
import { commandFor, type Program, startProgram } from "../../support/program.ts";
import { exchangeBytes } from "../../support/raw_connection.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz_target.ts";
import { mutated } from "./generators/texts.ts";

/** Labs in processes of their own, one on each runtime, whose sockets are fuzzed. */
export interface SocketServers {
  targets: FuzzTarget[];
  stop(): Promise<void>;
}

const messages = (malformedFraming as Array<{ text?: string }>)
  .flatMap(({ text }) => text === undefined ? [] : [text]);

/** Messages that are almost a request. What has no byte becomes another character. */
const anyMessage = mutated(mutated(fc.constantFrom(...messages)));

/** Starts a lab on each runtime. */
export async function startSocketServers(): Promise<SocketServers> {
  const main = join(tmpdir(), `hallpass-fuzz-${process.pid}.mjs`);
  bundle({ entryPoints: ["src/main.ts"], outfile: main, external: [...optionalPackages] });
  const commands: Record<string, string[]> = {
    Deno: commandFor("src/main.ts"),
    Bun: [await binary("bun@1"), "src/main.ts"],
    Node: [await binary("node@24"), main],
  };
  const started = await Promise.all(
    Object.entries(commands).map(async ([runtime, command]) => {
      const forever = 24 * 60 * 60 * 1000;
      const program = await startProgram(["lab", "--port", "0"], {}, command, forever);
      return { runtime, program };
    }),
  );
  return {
    targets: started.map(({ runtime, program }) => socketTarget(runtime, program)),
    async stop() {
      await Promise.all(started.map(({ program }) => program.stop()));
      await rm(main, { force: true });
    },
  };
}

function socketTarget(runtime: string, { issuer }: Program): FuzzTarget {
  const port = Number(new URL(issuer).port);
  return fuzzTarget(`a socket on ${runtime} takes any bytes`, anyMessage, async (message) => {
    const received = await exchangeBytes(port, message);
    const statuses = [...received.matchAll(/(?:^|\r\n)HTTP\/1\.[01] (\d{3})/g)];
    // A runtime says 501 or 505 to what it does not know, before a request is one.
    assert(statuses.every(([, status]) => !/^5(?!01|05)/.test(status ?? "")), received);
    const { status, body } = await fetch(`${issuer}/health`);
    await body?.cancel();
    assert(status === 200, `${status}`);
  });
}
