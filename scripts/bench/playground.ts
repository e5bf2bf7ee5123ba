import { openLab } from "../../src/lab/open_lab.ts";
import { serve } from "../../src/runtime/serve.ts";
import { chromium, withChromium } from "../../tests/support/chromium.ts";
import { type BuiltFile, builtPlayground, hostOf } from "../built_files.ts";
import { medianOf } from "../trials/numbers.ts";
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
    const [floor, lab, playground] = [[], [], []] as [number[], number[], number[]];
    for (let count = 0; count < visits; count++) {
      floor.push(await timeToPage(handlerOf(empty), inFrame));
      lab.push(await timeToPage((origin) => openLab({ issuer: origin }).fetch, "document"));
      playground.push(await timeToPage(handlerOf(files), inFrame));
    }
    const limit = 1.5 * medianOf(floor) + 400;
    const figures = [
      `${inMs(medianOf(playground))}, of at most ${inMs(limit)}`,
      `${inMs(medianOf(floor))} with an empty worker; ${inMs(medianOf(lab))} for a lab on a port`,
    ];
    return { figures, problems: medianOf(playground) > limit ? ["It is ready too late."] : [] };
  },
};

type Handler = (request: Request) => Promise<Response>;

function handlerOf(files: readonly BuiltFile[]): () => Handler {
  const host = hostOf(files);
  return () => async (request) => host(request);
}

/** Returns after how many milliseconds a document has a heading, in a browser without a cache. */
async function timeToPage(
  create: (origin: string) => Handler,
  shown: string,
): Promise<number> {
  const server = { fetch: async (_: Request) => new Response(null, { status: 503 }) };
  const { port, close } = await serve({ fetch: (request) => server.fetch(request) }, { port: 0 });
  const origin = `http://localhost:${port}`;
  server.fetch = create(origin);
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
