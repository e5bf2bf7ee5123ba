import { mkdir } from "node:fs/promises";
import process from "node:process";
import { binary } from "../../../scripts/downloads.ts";
import type { TrialClient } from "../../../scripts/trials/directory.ts";
import { writeTrialConfig } from "../../../scripts/trials/server.ts";
import { createTrialUser, type TrialUser } from "../../../scripts/trials/user.ts";
import { createKit, kitParts } from "../../support/flow_kit.ts";
import { compileProgram } from "../../support/package.ts";
import { present } from "../../support/present.ts";
import { commandFor, type Program, runProgram, startProgram } from "../../support/program.ts";

/** The issuer of all servers. Nothing listens there. */
const issuer = "http://localhost:1";

/** A server process. */
export interface Node {
  program: Program;
  /** Sends a request to this server, for the issuer of all of them. */
  fetch(request: Request): Promise<Response>;
}

/** Servers in processes of their own that share a store. */
export interface Nodes {
  /** One on each runtime, and one from the compiled program. */
  all: Node[];
  /** Another one, which a test may kill. */
  victim: Node;
  /** Runs a command of the program on the same store. */
  command(...args: string[]): Promise<{ code: number | null; output: string }>;
  /** Asks all to stop, and returns their exit codes. */
  stop(): Promise<Array<number | null>>;
}

/** Starts five servers at once. */
export async function startNodes(store: string, folder: string): Promise<Nodes> {
  await mkdir(folder, { recursive: true });
  const options = ["--config", await writeTrialConfig(folder, { issuer, store })];
  const main = present(process.env.HALLPASS_TEST_MAIN);
  const commands: Record<string, string[]> = {
    deno: commandFor("src/main.ts"),
    bun: [await binary("bun@1"), "src/main.ts"],
    node: [await binary("node@24"), main],
    binary: [await compileProgram()],
  };
  const start = (runtime: string) => startNode(present(commands[runtime]), options);
  const [victim, ...all] = await Promise.all(["bun", ...Object.keys(commands)].map(start));
  return {
    all,
    victim: present(victim),
    command: (...args) => runProgram([...args, ...options]),
    stop: () => Promise.all(all.map(({ program }) => program.stop())),
  };
}

/** Starts one server. Its issuer is that of a proxy that spreads the requests. */
async function startNode(command: string[], options: readonly string[]): Promise<Node> {
  const program = await startProgram(["serve", ...options], {}, command);
  return {
    program,
    async fetch({ url, method, headers, body }) {
      const { pathname, search } = new URL(url);
      const text = await new Response(body).text();
      const init = {
        method,
        headers,
        body: text === "" ? null : text,
        redirect: "manual",
      } as const;
      return await fetch(program.address + pathname + search, init);
    },
  };
}

/** Creates a user whose every request goes to the next node. */
export function userOf(nodes: readonly Node[], client?: TrialClient): TrialUser {
  let turn = 0;
  const fetch = (request: Request) => present(nodes[turn++ % nodes.length]).fetch(request);
  return createTrialUser(createKit({ issuer, fetch }, kitParts()), client);
}
