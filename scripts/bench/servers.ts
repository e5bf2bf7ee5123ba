import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "../../tests/support/free_port.ts";
import { commandOn } from "../trials/runtimes.ts";
import { writeTrialConfig } from "../trials/trial_server.ts";
import { ownPaths, startSubject, type Subject } from "./subject.ts";

/** What the servers of a run have in common. */
export interface RunSettings {
  runtime: string;
  alg: string;
  folder: string;
}

/** A Hallpass to measure. */
export interface HallpassKind {
  name: string;
  /** The URL of its store. */
  store?: string;
  /** The file of another build of the program, instead of this source. */
  build?: string;
  mode?: "serve" | "lab";
}

const own = { paths: ownPaths, without: [], hasSessions: true };
const ours = { ...own, whose: "ours" } as const;
const floor = { ...own, whose: "floor", name: "floor" } as const;

/** Starts Hallpass as an operator does. */
export async function startHallpass(
  { runtime, alg, folder }: RunSettings,
  { name, store = "memory", build, mode = "serve" }: HallpassKind,
): Promise<Subject> {
  const config = await writeTrialConfig(folder, { alg, store });
  const command = await commandOn(runtime, build);
  return await startSubject({ name, ...ours }, [...command, mode, "--config", config]);
}

/** Starts the floor. It serves the documents of a Hallpass that runs. */
export async function startFloor(
  { runtime, alg, folder }: RunSettings,
  hallpass: Subject,
): Promise<Subject> {
  const documents = join(folder, "documents.json");
  const text = async (path: string) =>
    (await (await fetch(`http://localhost:${hallpass.port}${path}`)).text()).trim();
  const document = await text(ownPaths.discovery);
  await writeFile(documents, JSON.stringify({ document, keys: await text(ownPaths.jwks) }));
  const command = await commandOn(runtime, "scripts/bench/floor/server.ts");
  const args = [`${await findFreePort()}`, alg, documents];
  return await startSubject(floor, [...command, ...args]);
}
