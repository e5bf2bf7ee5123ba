import { escapeXml } from "../../util/xml.ts";
import { scoreOf } from "../vet_groups.ts";
import type { VetResult } from "../vet_result.ts";

const label = "attacks noticed";

/** About as wide as a letter of the font is. */
const letterWidth = 6.6;
const padding = 7;
const height = 20;

/** Colors on which white text has a contrast of at least 4.5 to 1. */
const colors: ReadonlyArray<readonly [from: number, color: string]> = [
  [90, "#15803d"],
  [60, "#a16207"],
  [0, "#b91c1c"],
];

/** Formats a result as a badge: an SVG image with the result as its title. */
export function vetToBadge(result: Pick<VetResult, "noticed" | "total" | "findings">): string {
  const { noticed, total } = result;
  const value = `${noticed}/${total}`;
  const left = widthOf(label);
  const width = left + widthOf(value);
  const title = escapeXml(`Hallpass: ${noticed} of ${total} attacks noticed`);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" ` +
    `viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">`,
    `<title>${title}</title>`,
    `<clipPath id="r"><rect width="${width}" height="${height}" rx="4"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${left}" height="${height}" fill="#374151"/>` +
    `<rect x="${left}" width="${width - left}" height="${height}" fill="${colorOf(result)}"/></g>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" ` +
    `font-size="11">${textAt(left / 2, label)}${textAt((left + width) / 2, value)}</g>`,
    "</svg>\n",
  ].join("\n");
}

/** A result is a success only if the client accepts no attack. */
function colorOf(result: Pick<VetResult, "noticed" | "total" | "findings">): string {
  const score = result.findings.length > 0 ? Math.min(scoreOf(result), 89) : scoreOf(result);
  return colors.find(([from]) => score >= from)?.[1] ?? "#b91c1c";
}

function widthOf(text: string): number {
  return Math.round(text.length * letterWidth) + 2 * padding;
}

function textAt(middle: number, text: string): string {
  return `<text x="${middle}" y="14">${escapeXml(text)}</text>`;
}
