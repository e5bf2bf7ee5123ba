/**
 * Is loaded into a server before the program. It measures CPU time and memory, and sets the clock
 * ahead.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import process from "node:process";

/** The garbage collectors of the three runtimes. */
interface Collectors {
  Bun?: { gc(force: boolean): void };
  gc?: () => void;
}

/** What a process has used: CPU time in microseconds, and memory in bytes. */
export interface Usage {
  cpu: number;
  heapUsed: number;
  rss: number;
}

const { Bun, gc } = globalThis as Collectors;
const realNow = Date.now;
const realElapsed = performance.now.bind(performance);
let ahead = 0;

Date.now = () => realNow() + ahead;
// Time passes for the steady clock of SQLite as well: nobody set the clock.
performance.now = () => realElapsed() + ahead;

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://probe");
  if (pathname === "/ahead") ahead += Number(searchParams.get("ms"));
  if (pathname === "/memory") await collectGarbage();
  const { user, system } = process.cpuUsage();
  const { heapUsed, rss } = process.memoryUsage();
  const usage: Usage = { cpu: user + system, heapUsed, rss };
  response.end(JSON.stringify(usage));
});

server.listen(0, "127.0.0.1", () => {
  console.error(`probe ready ${(server.address() as AddressInfo).port}`);
});
server.unref();

/** Collects several times: what a finalizer releases goes with the next collection. */
async function collectGarbage(): Promise<void> {
  for (let count = 0; count < 4; count++) {
    if (Bun) Bun.gc(true);
    else gc?.();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
