import { openLab } from "../../src/lab/open_lab.ts";
import { serve } from "../../src/runtime/serve.ts";
import { chromium, withChromium } from "../../tests/support/chromium.ts";
import { findFreePort } from "../../tests/support/free_port.ts";
import { builtPlayground, hostOf } from "../built_files.ts";
import { mediansInTurns } from "../trials/numbers.ts";
import type { Trial } from "../trials/trial.ts";

/** How often each page is opened; the median counts. */
const visits = 9;

/** A worker without a lab, which responds to each request with the same page. */
const emptyWorker = `onmessage = ({ data, ports: [port] }) => {
  if (!port) return postMessage({ type: "ready", issuer: data.url });
  const headers = [["Content-Type", "text/html"]];
  port.postMessage({ status: 200, headers, body: "<main><h1>Ready</h1></main>" });
};`;

/** Measures the time until the playground shows a page, beside itself with an empty worker. */
export const measurePlayground: Trial = {
  title: "the playground, until its first page",
  skip: chromium ? false : "this machine has no Chromium",
  async run() {
    const files = await builtPlayground();
    const empty = files.map((file) =>
      file.path.endsWith("/worker.js") ? { ...file, content: emptyWorker } : file
    );
    const inFrame = "document.getElementById('lab')?.contentDocument";
    const { floor, lab, playground } = await mediansInTurns(visits, {
      floor: () => timeToPage(() => hostOf(empty), inFrame),
      lab: () => timeToPage((issuer) => openLab({ issuer }).fetch, "document"),
      playground: () => timeToPage(() => hostOf(files), inFrame),
    });
    const limit = 1.5 * floor + 400;
    const figures = [
      `${inMs(playground)}, of at most ${inMs(limit)}`,
      `${inMs(floor)} with an empty worker; ${inMs(lab)} for a lab on a port`,
    ];
    return { figures, problems: playground > limit ? ["It is ready too late."] : [] };
  },
};

/** Returns after how many milliseconds a document has a heading, in a browser without a cache. */
async function timeToPage(
  create: (origin: string) => (request: Request) => Response | Promise<Response>,
  shown: string,
): Promise<number> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  const respond = create(origin);
  const { close } = await serve({ fetch: async (request) => await respond(request) }, { port });
  let time = 0;
  try {
    await withChromium(async (tab) => {
      await tab.goto(`${origin}/`);
      time = await tab.evaluate<number>(`new Promise((resolve) => {
        const look = () => ${shown}?.querySelector("main h1")
          ? resolve(performance.now())
          : setTimeout(look, 5);
        look();
      })`);
    });
  } finally {
    await close();
  }
  return time;
}

function inMs(time: number): string {
  return `${Math.round(time)} ms`;
}
