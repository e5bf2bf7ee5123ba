import type { Command } from "./command.ts";
import { groupTitles, type Option } from "./option.ts";

/** Options that belong together in the help of a command. */
export interface OptionGroup {
  title: string;
  options: readonly Option[];
}

/** The title of the options that belong to one command alone. */
const ownTitle = "Options";

/** Groups the options of a command: its own ones first, then those that it shares with others. */
export function groupOptions({ name, options }: Pick<Command, "name" | "options">): OptionGroup[] {
  const isLab = name === "lab" || name === "vet";
  const shared = groupTitles.filter((title) => title !== "Lab" || isLab);
  const titleOf = ({ group }: Option) => shared.find((title) => title === group) ?? ownTitle;
  return [ownTitle, ...groupTitles]
    .map((title) => ({ title, options: options.filter((option) => titleOf(option) === title) }))
    .filter((group) => group.options.length > 0);
}
