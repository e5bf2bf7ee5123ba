/** Is loaded before a measured server: reports its CPU time, in microseconds, when it is asked. */
import process from "node:process";

process.on("SIGUSR2", () => {
  const { user, system } = process.cpuUsage();
  const { rss } = process.memoryUsage();
  process.stderr.write(`bench ${JSON.stringify({ cpu: user + system, rss })}\n`);
});
