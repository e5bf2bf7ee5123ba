import { userPassword } from "../../tests/support/every_flow.ts";
import { basic } from "../../tests/support/flow_kit.ts";
import { service } from "../trials/directory.ts";
import { medianTime } from "../trials/medians.ts";
import { commandOn } from "../trials/runtimes.ts";
import type { Trial } from "../trials/trial.ts";
import { startTrialServer, type TrialServer } from "../trials/trial_server.ts";
import { pinned } from "./subject.ts";

const signInsAtOnce = 20;
/** How long each of the two measurements takes, in milliseconds. */
const duration = 10_000;
const goal = 5;

/** Measures how much slower a token is while many users sign in with a password. */
export function measureSignIns(runtime: string, alg: string): Trial {
  return {
    title: `client credentials beside sign-ins, ${runtime}, ${alg}`,
    async run(folder) {
      const command = [...pinned, ...await commandOn(runtime)];
      const server = await startTrialServer({ command, store: "memory", folder, config: { alg } });
      await timeOfToken(server);
      const alone = await timeOfToken(server);
      const signIns = keepSigningIn(server);
      const beside = await timeOfToken(server);
      const count = await signIns.stop();
      await server.stop();
      return {
        figures: [
          `median alone ${alone.toFixed(2)} ms`,
          `beside ${signInsAtOnce} sign-ins at once ${beside.toFixed(2)} ms`,
          `${(beside / alone).toFixed(1)} times as long; goal: at most ${goal} times`,
          `${(count / duration * 1000).toFixed(1)} sign-ins per second`,
        ],
        problems: [],
      };
    },
  };
}

/** Returns the median of as many requests, one after the other, as fit into the time. */
async function timeOfToken(server: TrialServer): Promise<number> {
  const kit = server.kit();
  const headers = basic(service.id, service.secret);
  const fields = { grant_type: "client_credentials", scope: "read" };
  const end = performance.now() + duration;
  return await medianTime(async () => {
    const { status, text } = await kit.token(fields, headers);
    if (status !== 200) throw new Error(`A client gets no token: ${status} ${text}`);
  }, () => performance.now() >= end);
}

/** Keeps users signing in, each from a network of its own, until it is stopped. */
function keepSigningIn(server: TrialServer): { stop(): Promise<number> } {
  let isStopped = false;
  let count = 0;
  const users = Array.from({ length: signInsAtOnce }, async (_, at) => {
    const kit = server.kit(`203.0.${at}.1`);
    for (; !isStopped; count++) await kit.authorize({}, { password: userPassword });
  });
  return {
    async stop() {
      isStopped = true;
      const finished = count;
      await Promise.all(users);
      return finished;
    },
  };
}
