import { explainFailure } from "../../../server/util/text/explain_failure.ts";
import { type Invocation, valueOf } from "../../command_line/command.ts";
import { openChildLab } from "../../lab/child_lab.ts";
import { authorizationOf, runningLabOf } from "../../lab_client/running_lab.ts";
import { success, UsageError } from "../../terminal/exit_code.ts";
import type { Terminal } from "../../terminal/terminal.ts";
import { relayMessages, type SendMessage } from "./relay_messages.ts";

/** Where the messages of an agent go, and what ends it. */
interface UsedLab {
  send: SendMessage;
  close(): Promise<void>;
}

/** Relays the messages of an agent to a lab until the agent closes standard input. */
export async function runMcpCommand(invocation: Invocation, terminal: Terminal): Promise<number> {
  const isRunning = invocation.values.has("lab");
  const { send, close } = isRunning
    ? useRunningLab(invocation)
    : await openLab(invocation, terminal);
  terminal.onStop(close);
  try {
    await relayMessages(terminal.inputLines(), send, terminal.printColored);
  } finally {
    await close();
  }
  return success;
}

function useRunningLab(invocation: Invocation): UsedLab {
  const others = [...invocation.values.keys()].filter((name) => !usedWithLab.includes(name));
  if (others.length > 0) {
    throw new UsageError(`--${others[0]} is for a new lab: leave it out, or leave --lab out.`);
  }
  const address = runningLabOf(invocation);
  return {
    async send(message, headers) {
      const init = { method: "POST", body: message, redirect: "error" } as const;
      const sent = { ...headers, ...authorizationOf(invocation) };
      try {
        return await fetch(`${address}/lab/mcp`, { ...init, headers: sent });
      } catch (cause) {
        throw new Error(
          `No lab responds at ${address}: ${explainFailure(cause)}. Start it again: hallpass lab.`,
        );
      }
    },
    close: async () => {},
  };
}

/** The options that say how to reach a lab, and so are for one that runs. */
const usedWithLab: readonly string[] = ["lab", "lab-token"];

async function openLab(invocation: Invocation, terminal: Terminal): Promise<UsedLab> {
  const { lab, target, close } = await openChildLab(invocation, terminal);
  terminal.printError(`hallpass mcp: the issuer is ${target.issuer}, flows at ${target.lab}/flows`);
  const token = lab.settings.config().labToken ?? valueOf(invocation, "lab-token");
  const authorization = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  return {
    // In this process, no certificate needs to be trusted.
    send: (message, headers) =>
      lab.fetch(
        new Request(`${target.lab}/mcp`, {
          method: "POST",
          body: message,
          headers: { ...headers, ...authorization },
        }),
      ),
    close,
  };
}
