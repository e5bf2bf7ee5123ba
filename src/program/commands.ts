import { authorizationCommands } from "./authorization_command.ts";
import { backupCommands } from "./backup_command.ts";
import { check } from "./check_command.ts";
import { clientCommands } from "./client_command.ts";
import type { Command, CommandGroup } from "./command.ts";
import { completion } from "./completion/completion_command.ts";
import { doctor } from "./doctor_command.ts";
import { explain } from "./explain_command.ts";
import { health } from "./health_command.ts";
import { keyCommands } from "./key_command.ts";
import { log } from "./log_command.ts";
import { password } from "./password_command.ts";
import { schemaCommand } from "./schema_command.ts";
import { lab, serve } from "./serve_command.ts";
import { sessionCommands } from "./session_command.ts";
import { decode, token } from "./token_command.ts";
import { userCommands } from "./user_command.ts";

/** All commands by group, in the order of the help. */
export const commandGroups: readonly CommandGroup[] = [
  { title: "Run a server", commands: [lab, serve, health, doctor] },
  { title: "Write a configuration", commands: [check, schemaCommand, password] },
  { title: "Look at tokens and refusals", commands: [token, decode, explain] },
  { title: "Manage clients", commands: clientCommands },
  {
    title: "Manage users, and what they have allowed",
    commands: [
      ...userCommands,
      ...sessionCommands,
      ...authorizationCommands,
    ],
  },
  { title: "Manage the server", commands: [...keyCommands, ...backupCommands, log] },
  { title: "Set up your shell", commands: [completion] },
];

/** All commands, in the order of the help. */
export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
