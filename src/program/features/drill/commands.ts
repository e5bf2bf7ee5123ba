import { isWebUrl, withScheme } from "../../../server/util/addresses/uri.ts";
import type { Command, Option } from "../../command_line/command.ts";
import { labOptions, labToken } from "../../command_line/lab_options.ts";
import { config, issuer, labUrl } from "../../command_line/options.ts";
import {
  checkDrilledUrl,
  drillMembers,
  drillPort,
  keyWaitOption,
  onlyOption,
  policyOptions,
  requireOption,
  waitOption,
} from "./command_line.ts";

function urlOption(name: string, help: string): Option {
  const problem = (value: string) =>
    isWebUrl(value)
      ? undefined
      : `must be a URL, such as ${withScheme(value) ?? "http://localhost"}`;
  return { name, valueName: "URL", help, problem };
}

function countOption(name: string, help: string): Option {
  const problem = (value: string) => /^\d{1,4}$/.test(value) ? undefined : "must be a number";
  return { name, valueName: "N", convert: Number, help, problem };
}

/** The options that are members of the operation. */
const members: readonly Option[] = [
  urlOption(
    "check",
    "a URL that shows who is signed in; best is one that needs a login (default: found)",
  ),
  urlOption("refresh", "a URL that makes the application refresh its tokens"),
  urlOption("logout", "a URL that signs the user out"),
  { name: "user", valueName: "NAME", help: "the user who signs in (default: the first one)" },
  {
    name: "several-issuers",
    help: "the application signs in at other servers with the same redirect URI (default: found)",
  },
  keyWaitOption("application"),
  countOption("users", "how many users the drill may make, called hallpass-… (default 6)"),
  countOption(
    "patience",
    "wait for each response N times as long as the first logins took, but 10 s (default 10)",
  ),
  { name: "mcp", help: "the application is a client of the Model Context Protocol" },
];

const options: readonly Option[] = [
  ...members,
  onlyOption("FAULT", "a fault such as callback.wrong_state, or a check such as session_survives"),
  requireOption(["refresh", "sign-out", "new-key", "signatures", "back-channel-logout"]),
  waitOption("application"),
  {
    name: "browser",
    help: "open pages in a Chromium, Chrome or Edge of this machine, which runs their scripts; " +
      "the project has playwright-core",
  },
  ...policyOptions,
];

/** Without one of these, a lab that is started does not know the application. */
const ofStartedLab = labOptions.filter(({ name }) =>
  name === "any-client" || name === "redirect-uri"
);

/** The option is of a feature, which a project may have deleted. */
const anyClient = ofStartedLab.some(({ name }) => name === "any-client") ? " --any-client" : "";

/** Signs in to an application with what it must refuse. */
export const drillApp: Command = {
  name: "drill app",
  operandName: "URL",
  help: "shows which attacks your application accepts: signs in again and again at URL",
  details:
    "The application trusts the lab as its issuer, http://localhost:9000 unless options say " +
    "otherwise. A lab that runs there is used; otherwise, one is started for the drill, in " +
    "memory. Then the application may start, if it needs the lab for that. A page that scripts " +
    "make needs --browser, which always starts a lab. Exit codes: 1 the drill proves nothing, " +
    "because the login fails without an attack; 8 a finding is as bad as --fail-on, or --require " +
    "names what was not tested; 130 interrupted.",
  examples: [
    "hallpass drill app http://localhost:3000/login --check http://localhost:3000/account",
    `hallpass drill app http://localhost:3000/login${anyClient} --junit drill.xml`,
    `hallpass drill app http://localhost:3000/${anyClient} --browser`,
  ],
  options: [...options, labUrl, drillPort, labToken, issuer, config, ...ofStartedLab],
  async run(invocation, terminal) {
    checkDrilledUrl(invocation, "http://localhost:3000/login");
    const { runAppDrillCommand } = await import("./run_app_drill_command.ts");
    return await runAppDrillCommand(invocation, terminal, drillMembers(members, invocation));
  },
};
