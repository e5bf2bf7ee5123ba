import type { Command, CommandGroup } from "./command_line/command.ts";
import { authorizationCommands } from "./commands/authorization_command.ts";
import { backupCommands } from "./commands/backup_command.ts";
import {
  clientDisable,
  clientEnable,
  clientList,
  clientRemove,
  clientShow,
} from "./commands/client_command.ts";
import { clientSecret } from "./commands/client_secret_command.ts";
import { clientSettingsCommands } from "./commands/client_settings_command.ts";
import { check, password, schemaCommand } from "./commands/configuration_commands.ts";
import { explain } from "./commands/explain_command.ts";
import { keyList, keyRemove, keyRotate } from "./commands/key_command.ts";
import { lab } from "./commands/lab_command.ts";
import { log } from "./commands/log_command.ts";
import { doctor, health } from "./commands/probe_commands.ts";
import { serve } from "./commands/serve_command.ts";
import { sessionCommands } from "./commands/session_command.ts";
import { token } from "./commands/token_command.ts";
import { userCommands } from "./commands/user_command.ts";
import { passwordLinkCommands } from "./features/account/commands.ts";
import { mcp } from "./features/agents/commands.ts";
import { drillApi } from "./features/api_drill/commands.ts";
import { call } from "./features/call/commands.ts";
import { drillApp } from "./features/drill/commands.ts";
import { keyReseal } from "./features/encryption_at_rest/commands.ts";
import { exec } from "./features/exec/commands.ts";
import { flows } from "./features/flows/commands.ts";
import { init } from "./features/init/commands.ts";
import { passkeyCommands } from "./features/passkeys/commands.ts";
import { report } from "./features/report/commands.ts";
import { userFileCommands } from "./features/user_import/commands.ts";

export const commandGroups: readonly CommandGroup[] = [
  { title: "Run a server", commands: [lab, serve, health, doctor] },
  {
    title: "Test your application and your API",
    commands: [init, exec, drillApp, drillApi, call, mcp],
  },
  { title: "Write a configuration", commands: [check, schemaCommand, password] },
  { title: "Look at tokens and refusals", commands: [flows, report, token, explain] },
  {
    title: "Manage clients, users and the server",
    commands: [
      clientList,
      clientShow,
      ...clientSettingsCommands,
      clientSecret,
      clientDisable,
      clientEnable,
      clientRemove,
      ...userCommands,
      ...passwordLinkCommands,
      ...passkeyCommands,
      ...userFileCommands,
      ...sessionCommands,
      ...authorizationCommands,
      keyList,
      keyRotate,
      keyReseal,
      keyRemove,
      ...backupCommands,
      log,
    ],
  },
];

export const commands: readonly Command[] = commandGroups.flatMap((group) => group.commands);
