import { createBrowser } from "../../tests/support/browser.ts";
import { userPassword } from "../../tests/support/every_flow.ts";
import { app, opaque } from "../trials/directory.ts";
import { startTrialProcess, type TrialProcess } from "../trials/trial_process.ts";
import { authorizationPath, type WorkloadName } from "./workloads.ts";

/** A server to measure, in a process of its own. */
export interface Subject extends SubjectKind, Pick<TrialProcess, "port" | "ask" | "stop"> {
  /** The cookies of a browser in which the user is signed in. */
  cookie: string;
}

/** What is known of a server before it starts. */
export interface SubjectKind {
  name: string;
  whose: "floor" | "ours" | "theirs";
  paths: Paths;
  /** What the server cannot do. */
  without: readonly WorkloadName[];
  /** Whether its user signs in with a browser. The others take every request for signed in. */
  hasSessions: boolean;
}

/** Where a server has its endpoints. */
export interface Paths {
  authorize: string;
  token: string;
  introspect: string;
  userinfo: string;
  discovery: string;
  jwks: string;
}

/** The paths of Hallpass and of the floor. */
export const ownPaths: Paths = {
  authorize: "/oauth2/authorize",
  token: "/oauth2/token",
  introspect: "/oauth2/introspect",
  userinfo: "/oauth2/userinfo",
  discovery: "/.well-known/openid-configuration",
  jwks: "/oauth2/jwks",
};

/** The core of the measured servers. The load generator has the others. */
const pinned: readonly string[] = ["taskset", "-c", "0"];

/** Starts a server, signs the user in, and allows each client what it will ask for. */
export async function startSubject(
  kind: SubjectKind,
  command: readonly string[],
): Promise<Subject> {
  const running = await startTrialProcess([...pinned, ...command]);
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
