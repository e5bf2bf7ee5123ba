import type { Command } from "./command.ts";
import type { Option } from "./option.ts";

/** Options that belong together in the help of a command. */
export interface OptionGroup {
  title: string;
  options: readonly Option[];
}

/** The title of the options that belong to one command alone. */
const ownTitle = "Options";

/** The names of options that several commands have, by title, in the order of the help. */
export const sharedOptions: Readonly<Record<string, readonly string[]>> = {
  Addresses: ["port", "host", "issuer", "front-channel", "back-channel", "cert", "key", "tls"],
  Lab: [
    "redirect-uri",
    "any-client",
    "provider",
    "hosts",
    "enterprise",
    "sign-in",
    "sign-in-by-hint",
    "expose",
    "lab-token",
    "lab-port",
    "drill-origin",
    "with-parent",
  ],
  "Settings and data": ["config", "store", "profile", "alg"],
  "Log and metrics": ["log", "log-level", "metrics-port", "metrics-host"],
};

/** Groups the options of a command: its own ones first, then those that it shares with others. */
export function groupOptions({ name, options }: Pick<Command, "name" | "options">): OptionGroup[] {
  const isLab = name === "lab" || name === "vet";
  const titleOf = (option: Option) => {
    const titles = Object.keys(sharedOptions).filter((title) => title !== "Lab" || isLab);
    return titles.find((title) => sharedOptions[title]?.includes(option.name)) ?? ownTitle;
  };
  return [ownTitle, ...Object.keys(sharedOptions)]
    .map((title) => ({ title, options: options.filter((option) => titleOf(option) === title) }))
    .filter((group) => group.options.length > 0);
}
