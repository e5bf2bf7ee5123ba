import process from "node:process";
import { Worker } from "node:worker_threads";

// Loaded before the program: the signal ends the thread that got a message last.
const { prototype } = Worker;
const { postMessage } = prototype;
let last: Worker | undefined;

prototype.postMessage = function (this: Worker, ...message: Parameters<typeof postMessage>) {
  last = this;
  return postMessage.apply(this, message);
};
process.on("SIGUSR2", () => void last?.terminate());
