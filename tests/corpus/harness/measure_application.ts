import type { ApplicationEntry } from "../entry.ts";
import type { Measured } from "./measure_site.ts";
import { drill, type MeasuredLab, prefilledUrls, reportedBy } from "./measured_lab.ts";
import { openProgramLab, putClient } from "./program_lab.ts";
import { clientId, clientSecret, startEntry } from "./start_entry.ts";
import { createVisitor, describePage } from "./visitor.ts";

/** A correct application that runs, with a lab of its own. */
interface OpenApplication extends AsyncDisposable {
  lab: MeasuredLab;
  base: string;
}

/** Installs and starts an application, at a lab of its own. */
export async function openApplication(entry: ApplicationEntry): Promise<OpenApplication> {
  const lab = await openProgramLab();
  try {
    const { base, started } = await startEntry(
      entry,
      lab,
      {},
      (base) => putClient(lab, clientOf(entry, base)),
    );
    const close = async () => {
      await started[Symbol.asyncDispose]();
      await lab[Symbol.asyncDispose]();
    };
    return { lab, base, [Symbol.asyncDispose]: close };
  } catch (cause) {
    await lab[Symbol.asyncDispose]();
    throw cause;
  }
}

/** Returns the registration of an application, whose paths become URLs. */
function clientOf({ callback, client = {} }: ApplicationEntry, base: string): { id: string } {
  const { postLogoutRedirectUris = [], backchannelLogoutUri, ...settings } = client;
  return {
    id: clientId,
    secret: clientSecret,
    redirectUris: [base + callback],
    postLogoutRedirectUris: postLogoutRedirectUris.map((path) => base + path),
    ...backchannelLogoutUri !== undefined && { backchannelLogoutUri: base + backchannelLogoutUri },
    ...settings,
  } as { id: string };
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
    logout: there(logout)?.replace(/=$/, `=${drilled.base}/`),
  });
  return { report, full, prefilled };
}

/** A person signs in twice, looks at the pages, and signs out in between. */
async function visit({ lab, base }: OpenApplication, { paths }: ApplicationEntry): Promise<string> {
  let last = "";
  for (const isLast of [false, true]) {
    const { open, press, signIn } = createVisitor(lab.fetch, lab.issuer);
    await open(`${base}/`);
    await signIn(base + paths.login);
    const page = await open(base + paths.check);
    last = describePage(page);
    if (paths.refresh !== undefined) await open(base + paths.refresh);
    if (!isLast && paths.logout !== undefined) {
      await press((base + paths.logout).replace(/=$/, `=${base}/`), page);
    }
  }
  return last;
}
