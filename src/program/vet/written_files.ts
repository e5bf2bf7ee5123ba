import { rm, writeFile } from "node:fs/promises";
import { hasErrorCode } from "../../server/util/text/error_message.ts";
import { readTextFile } from "../configuration/program_config.ts";
import { reasonOf } from "../terminal/explain_error.ts";
import { UsageError } from "../terminal/usage_error.ts";
import { fillIn, type SuiteTarget } from "./suite_target.ts";

/** A file that a suite reads, and the template that it is made of. */
export interface FileTemplate {
  path: string;
  template: string;
}

/** Reads `PATH=TEMPLATE`. */
export function readFileTemplate(text: string): FileTemplate {
  const equals = text.indexOf("=");
  return { path: text.slice(0, equals), template: text.slice(equals + 1) };
}

/** Returns why a text is not `PATH=TEMPLATE`, or undefined. */
export function fileProblem(text: string): string | undefined {
  const isPair = /^[^=]+=./.test(text);
  return isPair ? undefined : "must be PATH=TEMPLATE, such as .env.test=.env.template";
}

/**
 * Writes the files of a run from their templates, and returns a function that removes them. A file
 * that exists is not replaced: it would be lost if this process were killed.
 */
export async function writeFiles(
  files: readonly FileTemplate[],
  target: SuiteTarget,
): Promise<() => Promise<void>> {
  const written: string[] = [];
  const removeAll = async () => {
    for (const path of written) await rm(path, { force: true });
  };
  try {
    for (const { path, template } of files) {
      const content = fillIn(await readTextFile(template), target);
      await writeNew(fillIn(path, target), content);
      written.push(fillIn(path, target));
    }
  } catch (cause) {
    await removeAll();
    throw cause;
  }
  return removeAll;
}

async function writeNew(path: string, content: string): Promise<void> {
  try {
    await writeFile(path, content, { flag: "wx" });
  } catch (cause) {
    throw new UsageError(
      hasErrorCode(cause, "EEXIST")
        ? `The file ${path} exists already. vet writes it before each run and removes it ` +
          "afterwards: move yours away, for example to the template."
        : `The file ${path} cannot be written: ${reasonOf(cause)}`,
    );
  }
}
