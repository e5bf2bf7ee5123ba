import { type Command, oneOf, type Option } from "../../command_line/command.ts";
import { labToken } from "../../command_line/lab_options.ts";
import { config, issuer, labUrl } from "../../command_line/options.ts";
import {
  checkDrilledUrl,
  drillMembers,
  drillPort,
  explainCheck,
  keyWaitOption,
  onlyOption,
  policyOptions,
  requireOption,
  waitOption,
} from "../drill/command_line.ts";

/** The options that are members of the operation. */
const members: readonly Option[] = [
  { name: "scope", valueName: "SCOPES", help: "the scope that the API requires" },
  {
    name: "audience",
    valueName: "NAME",
    help: "the audience that the API expects (default: the resource in its metadata, or else " +
      "that of the lab's own tokens)",
  },
  { name: "user", valueName: "NAME", help: "the user of the tokens (default: the first one)" },
  { name: "other-user", valueName: "NAME", help: "a user who may not read the resource" },
  { name: "client", valueName: "ID", help: "the client of the tokens" },
  { name: "rfc9068", help: "the API follows RFC 9068, and so refuses the type JWT" },
  { name: "dpop", help: "the API must check DPoP, though it does not declare that" },
  {
    name: "mutual-tls",
    help:
      "the API must check the certificate that a token is bound to, though it does not declare that",
  },
  keyWaitOption("API"),
  {
    name: "method",
    valueName: "GET|POST",
    help: "the method of the requests (default GET)",
    problem: oneOf(["GET", "POST"]),
  },
  {
    name: "header",
    valueName: "'NAME: VALUE'",
    repeatable: true,
    sets: "headers",
    convert: (text) => text.split(/: ?(.*)/s, 2),
    help: "a header of the requests; may be repeated",
    problem: (value) => /^[\w-]+: ?\S/.test(value) ? undefined : "must be NAME: VALUE",
  },
  { name: "body", valueName: "TEXT", help: "the body of the requests, with the method POST" },
];

const options: readonly Option[] = [
  ...members,
  onlyOption("CHECK", "a check such as expired"),
  requireOption(["scope", "another-user", "new-key"]),
  waitOption("API"),
  ...policyOptions,
];

/** Calls an API with tokens that it must refuse. */
export const drillApi: Command = {
  name: "drill api",
  operandName: "URL",
  help: "shows which attacks your API would notice: calls it with forged and unusual tokens",
  details:
    "The API trusts the lab as its issuer, http://localhost:9000 unless options say otherwise. " +
    "A lab that runs there is used; otherwise, one is started for the drill, in memory. Exit " +
    "codes: 1 the drill proves nothing, because the API refuses a valid token or does not " +
    "respond; 8 a finding is as bad as --fail-on, or --require names what was not tested.",
  examples: [
    "hallpass drill api http://localhost:3001/orders --scope orders:read",
    "hallpass drill api https://api.example/me --audience https://api.example --issuer https://id.example",
    "hallpass drill api http://localhost:3001/orders --junit drill.xml --key-wait 40s",
  ],
  options: [...options, labUrl, drillPort, labToken, issuer, config],
  async run(invocation, terminal) {
    checkDrilledUrl(invocation, "http://localhost:3001/orders");
    const { runDrillCommand } = await import("./run_drill_command.ts");
    return await runDrillCommand(invocation, terminal, drillMembers(members, invocation));
  },
};

/** Returns the ids of the checks of an API, and what explains one. */
export async function loadApiChecks() {
  const { describeApiTries } = await import("../../../lab/features/api_drill/run_api_drill.ts");
  const tries = describeApiTries();
  return {
    names: tries.map(({ id }) => id),
    explain: (name: string) =>
      explainCheck(tries.find(({ id }) => id === name)!, ["Check", "of an API, in its drill"]),
  };
}
