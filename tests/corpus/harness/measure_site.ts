import type { Finding } from "../../../src/lab/findings/finding.ts";
import { type OpenSite, openSite, siteOrigin, type SitePlan } from "../broken/open_site.ts";
import { call, drill, type Drilled, prefilledUrls, reportedBy } from "./measured_lab.ts";
import { createVisitor } from "./visitor.ts";

/** What a lab says of an application, after a visit and in two drills; of an API, in one. */
export interface Measured {
  /** What the report names after a person's visit. */
  report?: Finding[];
  /** With all URLs given. */
  full: Drilled;
  /** As the page prefills it. */
  prefilled?: Drilled;
}

/** Measures the application by hand, each drill with a lab of its own. */
export async function measureSite(plan: SitePlan = {}): Promise<Measured> {
  await using visited = await openSite(plan);
  await visit(visited);
  const report = await reportedBy(visited);
  const urls = await prefilledUrls(visited);
  const prefilled = urls
    ? await drill(visited, urls)
    : { urls: {}, findings: [], problem: "The page knows no application.", seconds: 0 };
  return { report, full: await drillSite(plan), prefilled };
}

/** What may have happened at a lab before a drill, and must not change what the drill says. */
export const histories: Readonly<Record<string, (lab: OpenSite) => Promise<unknown>>> = {
  "nothing": () => Promise.resolve(),
  "someone else fetched the keys": async ({ issuer, fetch }) =>
    await (await fetch(new Request(`${issuer}/oauth2/jwks`))).text(),
  "a login and a reset": async (lab) => {
    await createVisitor(lab.fetch, lab.issuer).open(`${siteOrigin}/account`);
    await call(lab, "POST /reset", {});
  },
};

/** Returns what a drill finds after each history. */
export async function drillAfterEach(plan: SitePlan): Promise<Drilled[]> {
  const results: Drilled[] = [];
  for (const before of Object.values(histories)) results.push(await drillSite(plan, before));
  return results;
}

/** Drills the application by hand, with all URLs given. */
export async function drillSite(
  plan: SitePlan,
  before: (lab: OpenSite) => Promise<unknown> = () => Promise.resolve(),
): Promise<Drilled> {
  await using lab = await openSite(plan);
  await before(lab);
  const at = (path: string) => `${siteOrigin}${path}`;
  return await drill(lab, {
    start: at("/account"),
    check: at("/account"),
    refresh: at("/refresh"),
    logout: at("/logout"),
    keyWait: "1s",
  });
}

/** A person signs in twice, looks at the pages, comes back after a while, and signs out. */
async function visit({ fetch, issuer, advance }: Awaited<ReturnType<typeof openSite>>) {
  for (const _ of [1, 2]) {
    const { open, press } = createVisitor(fetch, issuer);
    for (const path of ["/", "/account", "/profile", "/refresh"]) await open(siteOrigin + path);
    await Promise.all([open(`${siteOrigin}/refresh`), open(`${siteOrigin}/refresh`)]);
    advance("2h");
    for (const _ of [1, 2]) await open(`${siteOrigin}/profile`);
    await press(`${siteOrigin}/logout`, await open(`${siteOrigin}/account`));
  }
  // The newest login is the one that the lab knows.
  await createVisitor(fetch, issuer).open(`${siteOrigin}/account`);
}
