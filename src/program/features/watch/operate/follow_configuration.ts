import { ConfigError } from "../../../../server/config/problems.ts";
import { messagesOf } from "../../../../server/util/text/error_message.ts";
import type { Configuration } from "../../../configuration/configuration.ts";
import { programSchema } from "../../../configuration/program_config.ts";
import type { AccompaniedServer } from "../../../operate/companion.ts";
import { createNotices, type Notices } from "../../../operate/run_server.ts";
import { explainFailedCall } from "../../../terminal/explain_error.ts";
import { changedSettings, filesOf, filesOfPorts } from "../configuration/changed_settings.ts";
import { watchFiles } from "../configuration/watched_files.ts";

/** The pause between two looks at the files, in milliseconds. */
const pause = 500;

export interface FollowingServer {
  isOfStart(name: string): boolean;
  /** Reads the configuration again. Throws if it is invalid. */
  read(): Promise<Configuration>;
  /** Replaces the configuration, or throws and changes nothing. */
  replace(next: Configuration): Promise<void>;
}

/** Whether a setting cannot be replaced in any server: its ports are open, its store has its keys. */
export function isOfEveryStart(name: string): boolean {
  return name in programSchema.members || ["issuer", "secret", "signingKeys"].includes(name);
}

/** Follows the configuration of a server until the process ends, if the command line asks for it. */
export function followIfAsked(
  { invocation, terminal, configuration }: Omit<AccompaniedServer, "running">,
  server: FollowingServer,
): void {
  if (!invocation.values.has("watch")) return;
  const notices = createNotices(configuration.program.log, terminal);
  if (configuration.files.length === 0) notices.warn("--watch follows a file: add --config FILE.");
  const look = followConfiguration(configuration, server, notices);
  let isLooking = false;
  setInterval(async () => {
    if (isLooking) return;
    isLooking = true;
    await look();
    isLooking = false;
  }, pause);
}

/** Creates what looks at the files of a configuration, and replaces it if they have changed. */
export function followConfiguration(
  configuration: Configuration,
  server: FollowingServer,
  notices: Notices,
  lookAt: typeof watchFiles = watchFiles,
): () => Promise<void> {
  let present = configuration;
  /** Whether the file has what the server does not. */
  let differs = false;
  /** Files of ports, after the first look: then, each file is new. */
  let ofPorts: readonly string[] = [];
  const look = lookAt(() => filesOf(present));

  async function replace(files: readonly string[]): Promise<void> {
    const next = await server.read();
    const settings = changedSettings(present, next);
    const renewed = files.filter((path) => ofPorts.includes(path));
    const ofStart = [...settings.filter(server.isOfStart), ...renewed];
    if (ofStart.length > 0) {
      differs = true;
      return notices.warn(
        `A restart is needed for ${ofStart.join(", ")}. Until then, the server keeps the ` +
          "configuration that it has.",
      );
    }
    if (settings.length > 0) await server.replace(next);
    if (settings.length > 0 || differs) notices.print(replaced(settings));
    present = next;
    differs = false;
  }

  return async () => {
    const files = await look();
    if (files.length === 0) return;
    await replace(files).catch((cause) => {
      differs = true;
      notices.warn(refusal(cause));
    });
    ofPorts = filesOfPorts(present);
  };
}

function replaced(settings: readonly string[]) {
  const message = settings.length > 0
    ? `hallpass has new settings: ${settings.join(", ")}`
    : "hallpass has the settings of the configuration again";
  return { type: "program.reconfigured", facts: { message, settings }, text: message };
}

function refusal(cause: unknown): string {
  const problems = cause instanceof ConfigError
    ? cause.problems
    : [explainFailedCall(cause) ?? messagesOf(cause)];
  const count = problems.length === 1 ? "1 problem" : `${problems.length} problems`;
  const list = problems.map((problem) => `\n  - ${problem}`).join("");
  return `The changed configuration has ${count}. The server keeps the one that it has.${list}`;
}
