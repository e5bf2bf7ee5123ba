import { readFileSync } from "node:fs";
import { codeBlocks } from "./markdown.ts";

const path = ".github/CERTIFICATION.md";

/** The page with which a person runs the plans of the certification suite. */
export const certificationPage: string = readFileSync(path, "utf8");

/** Returns the blocks of the page in a language, in their order. */
export function certificationBlocks(language: "json" | "js" | "sh"): string[] {
  return codeBlocks(path).filter((block) => block.language === language).map(({ code }) => code);
}
