/**
 * Keeps connections busy: each sends its next requests as soon as it has the responses to those
 * before, even if it is refused, or at a steady pace. Prints a line when all are open, and what it
 * has seen since then, as JSON, when its input ends. It is a process of its own, so that those who
 * measure do not wait for it.
 *
 *   node scripts/soak/busy_connections.ts PORT LOAD REQUEST
 */
import { connect, type Socket } from "node:net";
import process from "node:process";

/** What busy connections send. */
export interface BusyLoad {
  connections: number;
  /** How many requests each sends at a time. */
  pipelined: number;
  /** How many requests all of them send in a second; 0 for as many as they can. */
  perSecond: number;
}

/** What busy connections have seen. */
export interface BusyReport {
  /** How many responses of each status came in a second. */
  perSecond: Record<string, number>;
}

/** How many connections are opened at a time: the queue of a listener has an end. */
const batch = 100;

/** How long to wait before a connection that was closed is opened again, in milliseconds. */
const pause = 10;

const [port, load = ""] = process.argv.slice(2);
const { connections, pipelined, perSecond }: BusyLoad = JSON.parse(load);
const request = process.argv.at(-1) ?? "";
const interval = perSecond > 0 ? connections * pipelined * 1000 / perSecond : 0;
const counts: Record<string, number> = {};
let isOver = false;

for (let opened = 0; opened < connections; opened += batch) {
  const rest = Math.min(batch, connections - opened);
  await Promise.all(Array.from({ length: rest }, keepBusy));
}
for (const status in counts) delete counts[status];
const start = performance.now();
console.log("open");
process.stdin.resume().on("end", () => {
  isOver = true;
  const seconds = (performance.now() - start) / 1000;
  for (const status in counts) counts[status] = Math.round((counts[status] ?? 0) / seconds);
  const report: BusyReport = { perSecond: counts };
  console.log(JSON.stringify(report));
  process.exit(0);
});

/** Opens a connection, and again whenever it is closed. Resolves when it is open. */
function keepBusy(): Promise<void> {
  const socket = connect({ port: Number(port), host: "127.0.0.1", noDelay: true });
  socket.setEncoding("latin1");
  socket.on("error", () => {});
  return new Promise((resolve) => {
    socket.once("connect", () => {
      sendRequests(socket);
      resolve();
    });
    socket.on("close", () => {
      resolve();
      if (!isOver) setTimeout(keepBusy, pause);
    });
  });
}

function sendRequests(socket: Socket): void {
  let left = 0;
  let received = "";
  // Connections at a steady pace begin at different times.
  let next = performance.now() + Math.random() * interval;

  function send(): void {
    left = pipelined;
    next += interval;
    socket.write(request.repeat(pipelined), "latin1");
  }

  function sendInTime(): void {
    if (interval === 0) send();
    else setTimeout(send, Math.max(0, next - performance.now()));
  }

  socket.on("data", (chunk) => {
    received += String(chunk);
    for (let end = endOfFirst(received); end > 0; end = endOfFirst(received)) {
      const status = received.slice(9, 12);
      counts[status] = (counts[status] ?? 0) + 1;
      received = received.slice(end);
      left--;
    }
    if (left === 0) sendInTime();
  });
  sendInTime();
}

/** Returns where the first response ends once all of it has arrived, and otherwise 0. */
function endOfFirst(received: string): number {
  const body = received.indexOf("\r\n\r\n") + 4;
  if (body < 4) return 0;
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(received.slice(0, body)) ?? [];
  const end = body + Number(length);
  return received.length >= end ? end : 0;
}
