import { formatLabels, type Labels } from "./labels.ts";

/** How often something took how long. */
export interface Histogram {
  observe(seconds: number, labels?: Labels): void;
}

/** The upper bounds of the buckets of a histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The times of one set of labels. */
interface Buckets {
  labels: Labels;
  /** How many times are below each bound, and how many are above all. */
  counts: number[];
  sum: number;
}

/** Creates a histogram without observations. */
export function createHistogram(name: string) {
  const histograms = new Map<string, Buckets>();
  return {
    observe(seconds: number, labels: Labels = {}): void {
      const key = formatLabels(labels);
      const buckets = histograms.get(key) ?? emptyBuckets(labels);
      histograms.set(key, buckets);
      const at = bounds.findIndex((bound) => seconds <= bound);
      const bucket = at < 0 ? bounds.length : at;
      buckets.counts[bucket] = (buckets.counts[bucket] ?? 0) + 1;
      buckets.sum += seconds;
    },
    /** Returns its lines in the text format of Prometheus. */
    format: () => [...histograms.values()].flatMap((buckets) => formatBuckets(name, buckets)),
  };
}

function emptyBuckets(labels: Labels): Buckets {
  return { labels, counts: [...bounds, Infinity].map(() => 0), sum: 0 };
}

/** Each bucket also counts those below it. */
function formatBuckets(name: string, { labels, counts, sum }: Buckets): string[] {
  let total = 0;
  const buckets = [...bounds, "+Inf"].map((bound, at) => {
    total += counts[at] ?? 0;
    return `${name}_bucket${formatLabels({ ...labels, le: `${bound}` })} ${total}`;
  });
  const own = formatLabels(labels);
  return [...buckets, `${name}_sum${own} ${sum}`, `${name}_count${own} ${total}`];
}
