import type { Option } from "./command.ts";
import { labOptions } from "./lab_options.ts";
import { port, serverOptions } from "./options.ts";

/** Options that make no sense for a lab that ends with its command, and keeps nothing. */
const omittedOptions: readonly string[] = [
  "port",
  "store",
  "log",
  "log-level",
  "metrics-port",
  "metrics-host",
  "lab-port",
  "drill-origin",
  "with-parent",
];

/** The options of a lab that a command opens for itself. */
export const childLabOptions: readonly Option[] = [
  { ...port, inEnvironment: false, help: "the port of the lab (default a free one)" },
  ...[...serverOptions, ...labOptions].filter(({ name }) => !omittedOptions.includes(name)),
];
