import { authorizationCommands } from "./authorization.ts";
import { check } from "./check.ts";
import { clientCommands } from "./client.ts";
import type { Command } from "./command.ts";
import { doctor } from "./doctor.ts";
import { health } from "./health.ts";
import { keyCommands } from "./key.ts";
import { password } from "./password.ts";
import { lab, serve } from "./serve.ts";
import { userCommands } from "./user.ts";

/** Everything that the program can be told to do, in the order of the help. */
export const commands: readonly Command[] = [
  lab,
  serve,
  check,
  health,
  doctor,
  password,
  ...clientCommands,
  ...userCommands,
  ...keyCommands,
  ...authorizationCommands,
];
