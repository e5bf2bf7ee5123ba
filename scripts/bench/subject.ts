import { createBrowser } from "../../tests/support/browser.ts";
import { userPassword } from "../../tests/support/every_flow.ts";
import { app, opaque } from "../trials/directory.ts";
import { type ServerProcess, startProcess } from "../trials/process.ts";
import { authorizationPath, type MeasuredServer } from "./workloads.ts";

/** A server to measure, in a process of its own. */
export interface Subject
  extends SubjectKind, MeasuredServer, Pick<ServerProcess, "port" | "ask" | "stop"> {}

/** What is known of a server before it starts. */
export interface SubjectKind extends Omit<MeasuredServer, "cookie"> {
  name: string;
  whose: "floor" | "ours" | "theirs";
  /** Whether its user signs in with a browser. The others take every request for signed in. */
  hasSessions: boolean;
}

/** The core of the measured servers. The load generator has the others. */
const pinned: readonly string[] = ["taskset", "-c", "0"];

/** Starts a server, signs the user in, and allows each client what it will ask for. */
export async function startSubject(
  kind: SubjectKind,
  command: readonly string[],
): Promise<Subject> {
  const running = await startProcess([...pinned, ...command]);
  const subject = { ...kind, ...running, cookie: "" };
  if (!kind.hasSessions) return subject;
  const origin = `http://localhost:${running.port}`;
  const browser = createBrowser(
    (request) => fetch(request, { redirect: "manual" }),
    (url) => !url.startsWith(origin),
  );
  for (const client of [app, opaque]) {
    const url = origin + authorizationPath(kind.paths, client);
    await browser.authorize(url, { password: userPassword });
  }
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return { ...subject, cookie };
}
