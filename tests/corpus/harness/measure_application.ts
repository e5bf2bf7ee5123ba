import type { ApplicationEntry } from "../entry.ts";
import { installed } from "./installations.ts";
import type { Measured } from "./measure_site.ts";
import { drill, type MeasuredLab, prefilledUrls, reportedBy } from "./measured_lab.ts";
import { findPort, type RunningProcess, startProcess, untilItResponds } from "./processes.ts";
import { openProgramLab, putClient } from "./program_lab.ts";
import { createVisitor, describePage } from "./visitor.ts";

const clientId = "corpus";
const clientSecret = "the-secret-of-the-corpus-with-40-letters";

/** A correct application that runs, with a lab of its own. */
interface OpenApplication extends AsyncDisposable {
  lab: MeasuredLab;
  base: string;
  started: RunningProcess;
}

/** Installs and starts an application, at a lab of its own. */
export async function openApplication(entry: ApplicationEntry): Promise<OpenApplication> {
  const { toolchain, start, env = {}, startSeconds = 60, callback, client = {} } = entry;
  const cwd = await installed(toolchain);
  const lab = await openProgramLab();
  const port = await findPort();
  const base = `http://localhost:${port}`;
  const { postLogoutRedirectUris = [], backchannelLogoutUri, ...settings } = client;
  await putClient(lab, {
    id: clientId,
    secret: clientSecret,
    redirectUris: [base + callback],
    postLogoutRedirectUris: postLogoutRedirectUris.map((path) => base + path),
    ...backchannelLogoutUri !== undefined && { backchannelLogoutUri: base + backchannelLogoutUri },
    ...settings,
  } as { id: string });
  const started = startProcess(start, {
    cwd,
    env: {
      ...env,
      ISSUER: lab.issuer,
      PORT: String(port),
      BASE_URL: base,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    },
  });
  const close = async () => {
    await started[Symbol.asyncDispose]();
    await lab[Symbol.asyncDispose]();
  };
  try {
    await untilItResponds(`${base}/`, started, startSeconds);
  } catch (cause) {
    await close();
    throw cause;
  }
  return { lab, base, started, [Symbol.asyncDispose]: close };
}

/** Measures an application, each drill with a lab of its own. */
export async function measureApplication(entry: ApplicationEntry): Promise<Measured> {
  const { login, check, refresh, logout } = entry.paths;
  await using visited = await openApplication(entry);
  const { lab, base } = visited;
  const at = (path: string | undefined) => path === undefined ? undefined : base + path;
  const seen = await visit(visited, entry);
  const report = await reportedBy(lab);
  const urls = await prefilledUrls(lab);
  const prefilled = urls
    ? await drill(lab, urls)
    : { urls: {}, findings: [], problem: `The page knows no application. ${seen}`, seconds: 0 };
  await using drilled = await openApplication(entry);
  const there = (path: string | undefined) => at(path)?.replace(base, drilled.base);
  const full = await drill(drilled.lab, {
    start: there(login),
    check: there(check),
    refresh: there(refresh),
    logout: there(logout),
  });
  return { report, full, prefilled };
}

/** A person signs in twice, looks at the pages, and signs out in between. */
async function visit({ lab, base }: OpenApplication, { paths }: ApplicationEntry): Promise<string> {
  let last = "";
  for (const isLast of [false, true]) {
    const { open, press } = createVisitor(lab.fetch, lab.issuer);
    const home = await open(`${base}/`);
    await press(base + paths.login, home);
    const page = await open(base + paths.check);
    last = describePage(page);
    if (paths.refresh !== undefined) await open(base + paths.refresh);
    if (!isLast && paths.logout !== undefined) await press(base + paths.logout, page);
  }
  return last;
}
