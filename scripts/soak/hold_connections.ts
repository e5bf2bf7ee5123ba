/**
 * Opens connections that send nothing more, and prints how many are open each time it reads a line.
 * It is a process of its own, because each connection takes a file descriptor.
 *
 *   deno run scripts/soak/hold_connections.ts PORT COUNT
 */
import { connect, type Socket } from "node:net";
import process from "node:process";

/** How many connections are opened at a time: the queue of a listener has an end. */
const batch = 100;

const [port = 0, count = 0] = process.argv.slice(2).map(Number);
const open = new Set<Socket>();

for (let opened = 0; opened < count; opened += batch) {
  await Promise.all(Array.from({ length: Math.min(batch, count - opened) }, (_, n) => hold(n)));
}
console.log(open.size);
process.stdin.on("data", () => console.log(open.size));
process.stdin.on("end", () => process.exit(0));

/** Opens a connection. Half of them have been used once. */
function hold(n: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  return new Promise((resolve) => {
    socket.once("connect", () => {
      open.add(socket);
      if (n % 2 === 0) return resolve();
      socket.write("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n");
      socket.once("data", () => resolve());
    });
    socket.on("error", () => {});
    socket.on("close", () => {
      open.delete(socket);
      resolve();
    });
  });
}
