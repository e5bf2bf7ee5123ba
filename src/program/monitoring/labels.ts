/** The values of a metric's labels, by name. */
export type Labels = Readonly<Record<string, string>>;

/** Formats labels as the text format of Prometheus has them: `{path="/token",status="200"}`. */
export function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
