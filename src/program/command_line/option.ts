/** An option of the command line. */
export interface Option {
  name: string;
  /** What the help calls the value. An option without one is a switch. */
  valueName?: string | undefined;
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
