import type { SubjectKind } from "./subject.ts";

/** A bar of a chart. */
export interface Bar {
  label: string;
  /** In microseconds. */
  cpu: number;
  whose: SubjectKind["whose"];
}

/** They can be told apart on light and on dark pages. */
const colors = { floor: "#8c959f", ours: "#0969da", theirs: "#bf8700" };

const width = 640;
const barHeight = 18;
const rowHeight = 26;
const labelWidth = 175;
const numberWidth = 70;
const top = 40;

/** Draws the CPU time of each server as bars. */
export function drawChart(workload: string, runtime: string, bars: readonly Bar[]): string {
  const longest = Math.max(...bars.map(({ cpu }) => cpu));
  const scale = (width - labelWidth - numberWidth) / longest;
  const height = top + bars.length * rowHeight;
  const title = `${workload} on ${runtime}: microseconds of CPU time, less is better`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    "<style>text { font: 14px system-ui, sans-serif; fill: #57606a }</style>",
    `<text x="0" y="20" font-weight="600">${escape(title)}</text>`,
    ...bars.map((bar, row) => drawBar(bar, top + row * rowHeight, scale)),
    "</svg>\n",
  ].join("\n");
}

function drawBar({ label, cpu, whose }: Bar, y: number, scale: number): string {
  const length = Math.max(1, Math.round(cpu * scale));
  const textY = y + barHeight - 4;
  return [
    `<text x="0" y="${textY}">${escape(label)}</text>`,
    `<rect x="${labelWidth}" y="${y}" width="${length}" height="${barHeight}" fill="${
      colors[whose]
    }"/>`,
    `<text x="${labelWidth + length + 6}" y="${textY}">${cpu.toFixed(0)}</text>`,
  ].join("");
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
