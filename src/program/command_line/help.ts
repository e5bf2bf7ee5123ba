import { version } from "../../runtime/version.ts";
import { installLine } from "../terminal/installation.ts";
import { wrap } from "../terminal/printable.ts";
import {
  type Command,
  type CommandGroup,
  groupTitles,
  type Option,
  variableOf,
} from "./command.ts";

const columnWidth = 34;
const maxWidth = 80;

/** The title of the options that belong to one command alone. */
const ownTitle = "Options";

const aboutSecret =
  "HALLPASS_SECRET encrypts the signing keys in the store. It needs at least 32\n" +
  "characters. There is no option for it, because other processes can read the\n" +
  "arguments of this one.\n";

const aboutLabOptions =
  "Its lab takes the options of hallpass lab as well, but for data and log: hallpass lab --help.";

export function help(groups: readonly CommandGroup[]): string {
  return `Hallpass ${version}, an OAuth 2.1 and OpenID Connect authorization server

${groups.map(describeGroup).join("\n\n")}

Without a command, hallpass starts a lab.
Options and examples of a command: hallpass COMMAND --help
${wrap(`For your tests: ${installLine()}`, maxWidth).join("\n")}

The environment can set each option of lab and serve: --port as ${variableOf("port")},
--redirect-uri as ${variableOf("redirect-uri")}, and so on. HALLPASS_CONFIG_JSON holds
an entire configuration in JSON, for a container without a file.

Exit codes: 0 success, 1 failure, 2 an invalid command line, environment or
configuration, 3 a store that is unavailable (unreachable, starting or full), a
provider that does not respond or a missing certificate: try again later,
8 a client, an application or an API that broke a rule.

${aboutSecret}`;
}

/** Returns what `--help` prints for some commands: the options of one, or a list of several. */
export function helpFor(commands: readonly Command[]): string {
  const [first, ...others] = commands;
  if (first && others.length === 0) return helpOf(first);
  const lines = commands.map((command) => line(`hallpass ${usage(command)}`, command.help));
  return `${lines.join("\n")}\n\nOptions of one: hallpass ${first?.name} --help\n`;
}

export function helpOf(command: Command): string {
  const { options, details, examples = [] } = command;
  const usesStore = options.some(({ name }) => name === "store");
  return [
    `hallpass ${usage(command)}\n\n${wrap(command.help, maxWidth).join("\n")}\n`,
    ...details === undefined ? [] : [`${wrap(details, maxWidth).join("\n")}\n`],
    ...groupOptions(command).map(({ title, options }) =>
      `${title}\n${options.map(describeOption).join("\n")}\n`
    ),
    ...startsLab(command) ? [`${wrap(aboutLabOptions, maxWidth).join("\n")}\n`] : [],
    ...examples.length > 0 ? [`Examples\n${examples.map((each) => `  ${each}\n`).join("")}`] : [],
    ...usesStore ? [aboutSecret] : [],
  ].join("\n");
}

/**
 * Groups the options of a command: its own ones first, then those that it shares with others. The
 * options of a lab that it starts are those of another command.
 */
export function groupOptions(
  command: Command,
): Array<{ title: string; options: readonly Option[] }> {
  const options = command.options.filter((option) =>
    startsLab(command) ? isOwn(option) : command.name !== "doctor" || option.group !== "Lab"
  );
  const shared = groupTitles.filter((title) => title !== "Lab" || command.name === "lab");
  const titleOf = ({ group }: Option) => shared.find((title) => title === group) ?? ownTitle;
  return [ownTitle, ...groupTitles]
    .map((title) => ({ title, options: options.filter((option) => titleOf(option) === title) }))
    .filter((group) => group.options.length > 0);
}

/** Whether a command starts a lab for something else: what runs a command of the user does. */
function startsLab({ takesCommand = false, opensLab = false }: Command): boolean {
  return takesCommand || opensLab;
}

/** Where tests find their lab is the business of the command that runs them. */
function isOwn({ group, name }: Option): boolean {
  return group === undefined || name === "port";
}

function describeGroup({ title, commands }: CommandGroup): string {
  const things = new Set(commands.map(({ name }) => name.split(" ")[0] ?? ""));
  const lines = [...things].flatMap((thing) =>
    linesOf(thing, commands.filter(({ name }) => `${name} `.startsWith(`${thing} `)))
  );
  return [title, ...lines].join("\n");
}

/** Returns a line for each command; for many about one thing, one line. */
function linesOf(thing: string, commands: readonly Command[]): string[] {
  if (commands.length <= 2) {
    return commands.map((command) => line(`hallpass ${usage(command)}`, summaryOf(command)));
  }
  const verbs = commands.map(({ name }) => name.slice(thing.length + 1));
  return [line(`hallpass ${thing} COMMAND`, verbs.join(", "))];
}

/** Returns the beginning of a sentence: the rest is for who asks about the command. */
function summaryOf({ help }: Command): string {
  return help.replace(/(,|:|;| \().*$/s, "");
}

function usage({ name, operandName, takesCommand }: Command): string {
  return [name, operandName, takesCommand && "-- COMMAND"].filter(Boolean).join(" ");
}

export function describeOption({ name, valueName, help }: Option): string {
  return line(`--${name}${valueName ? ` ${valueName}` : ""}`, help);
}

/** A name that is longer than its column gets a separate line. */
function line(name: string, help: string): string {
  const indent = `  ${" ".repeat(columnWidth)}`;
  const text = wrap(help, maxWidth - indent.length).join(`\n${indent}`);
  if (name.length < columnWidth) return `  ${name.padEnd(columnWidth)}${text}`;
  return `  ${name}\n${indent}${text}`;
}
