import type { Result } from "./table.ts";

const width = 640;
const barHeight = 18;
const rowHeight = 26;
const labelWidth = 150;
const numberWidth = 70;
const top = 40;

/** Draws the CPU time of each server as bars, the floor first. It works on light and dark pages. */
export function drawChart(workload: string, runtime: string, results: readonly Result[]): string {
  const longest = Math.max(...results.map(({ cpu }) => cpu));
  const scale = (width - labelWidth - numberWidth) / longest;
  const height = top + results.length * rowHeight;
  const title = `${workload} on ${runtime}: microseconds of CPU time for each`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    "<style>text { font: 14px system-ui, sans-serif; fill: #57606a }</style>",
    `<text x="0" y="20" font-weight="600">${escape(title)}</text>`,
    ...results.map((result, row) => bar(result, top + row * rowHeight, scale)),
    "</svg>\n",
  ].join("\n");
}

function bar({ subject, cpu }: Result, y: number, scale: number): string {
  const length = Math.max(1, Math.round(cpu * scale));
  const color = subject === "floor" ? "#8c959f" : "#0969da";
  const textY = y + barHeight - 4;
  return [
    `<text x="0" y="${textY}">${escape(subject)}</text>`,
    `<rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" fill="${color}"/>`,
    `<text x="${labelWidth + length + 6}" y="${textY}">${cpu.toFixed(0)}</text>`,
  ].join("");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
