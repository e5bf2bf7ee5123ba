/** The titles of options that several commands have, in the order of the help. */
export const groupTitles = [
  "Addresses",
  "Lab",
  "Settings and data",
  "Log and metrics",
] as const;

/** An option of the command line. */
export interface Option {
  name: string;
  /** What the help calls the value. An option without one is a switch. */
  valueName?: string | undefined;
  /** Where the help lists it, if several commands have it. */
  group?: typeof groupTitles[number];
  /** The setting of a configuration that it sets, by name. */
  sets?: string;
  /** Returns the value of that setting, unless it is the text itself. */
  convert?: (text: string) => unknown;
  /** Whether it may be given more than once. In the environment, spaces separate the values. */
  repeatable?: boolean;
  /** Whether the environment may hold it as well, as `HALLPASS_…`. */
  inEnvironment?: boolean;
  help: string;
  /** Whether messages must not repeat the value. */
  mayHoldPassword?: boolean;
  /** Returns why a value is invalid, or undefined. */
  problem?: (value: string) => string | undefined;
}

/** What the options of a lab have in common. */
export const inLab = { group: "Lab", inEnvironment: true } as const;

/** The values of options by the option's name, in the order given. */
export type OptionValues = ReadonlyMap<string, readonly string[]>;

/** Returns the settings that the values of options set, by name. */
export function settingsOf(
  options: readonly Option[],
  values: OptionValues,
): Record<string, unknown> {
  return Object.fromEntries(
    options.flatMap((option) => {
      const texts = values.get(option.name);
      return option.sets === undefined || texts === undefined
        ? []
        : [[option.sets, settingValue(option, texts)]];
    }),
  );
}

/** The last value wins, unless all count. */
function settingValue(
  { valueName, repeatable, convert = (text) => text }: Option,
  texts: readonly string[],
): unknown {
  if (valueName === undefined) return true;
  const values = texts.map(convert);
  return repeatable ? values : values.at(-1);
}

/** Returns the name of the environment variable for an option. */
export function variableOf({ name }: Pick<Option, "name">): string {
  return `HALLPASS_${name.toUpperCase().replaceAll("-", "_")}`;
}

const maxPort = 65535;

/** Returns why a value is no port, or undefined. */
export function portProblem(value: string): string | undefined {
  const isPort = /^\d{1,5}$/.test(value) && Number(value) <= maxPort;
  return isPort ? undefined : `must be a port between 0 and ${maxPort}`;
}

/** Returns why a value is not the URL of a server, or undefined. */
export function urlProblem(value: string): string | undefined {
  const isUrl = /^https?:\/\//.test(value) && URL.canParse(value);
  return isUrl ? undefined : "must be an http or https URL";
}

/** Creates the check of an option that chooses among names. */
export function oneOf(allowed: readonly string[]): (value: string) => string | undefined {
  const problem = `must be one of ${allowed.join(", ")}`;
  return (value) => allowed.includes(value) ? undefined : problem;
}
