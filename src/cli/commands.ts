import { authorizationCommands } from "./authorization_command.ts";
import { backupCommands } from "./backup_command.ts";
import { check } from "./check_command.ts";
import { clientCommands } from "./client_command.ts";
import type { Command } from "./command.ts";
import { doctor } from "./doctor_command.ts";
import { health } from "./health_command.ts";
import { keyCommands } from "./key_command.ts";
import { log } from "./log_command.ts";
import { password } from "./password_command.ts";
import { schemaCommand } from "./schema_command.ts";
import { lab, serve } from "./serve_command.ts";
import { sessionCommands } from "./session_command.ts";
import { decode, token } from "./token_command.ts";
import { userCommands } from "./user_command.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  lab,
  serve,
  check,
  schemaCommand,
  health,
  doctor,
  token,
  decode,
  password,
  ...clientCommands,
  ...userCommands,
  ...sessionCommands,
  ...keyCommands,
  ...authorizationCommands,
  log,
  ...backupCommands,
];
