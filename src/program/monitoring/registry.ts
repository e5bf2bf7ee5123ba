/** The values of a metric's labels, by name. */
type Labels = Readonly<Record<string, string>>;

/** A number that only grows. */
export interface Counter {
  add(labels?: Labels, amount?: number): void;
}

/** A number that goes up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void;
  /** Forgets every value. */
  clear(): void;
}

/** All metrics of a process, in the Prometheus text format. */
export interface MetricRegistry {
  counter(name: string, help: string): Counter;
  gauge(name: string, help: string): Gauge;
  histogram(name: string, help: string): { observe(seconds: number, labels?: Labels): void };
  /** Returns everything as text. */
  format(): string;
}

/** The media type of the text format. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** The lines of one metric. */
type FormatSamples = () => string[];

/** The upper bounds of the buckets of a histogram, in seconds. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The times of one set of labels. */
interface Buckets {
  labels: Labels;
  /** How many times are below each bound, and how many are above all. */
  counts: number[];
  sum: number;
}

/** Creates a registry without metrics. */
export function createMetricRegistry(): MetricRegistry {
  const metrics: FormatSamples[] = [];

  function register(name: string, type: string, help: string, format: FormatSamples): void {
    metrics.push(() => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...format()]);
  }

  function numbers(name: string, type: string, help: string): Map<string, number> {
    const values = new Map<string, number>();
    const format = () => [...values].map(([labels, value]) => `${name}${labels} ${value}`);
    register(name, type, help, format);
    return values;
  }

  return {
    counter(name, help) {
      const values = numbers(name, "counter", help);
      return {
        add(labels = {}, amount = 1) {
          const key = formatLabels(labels);
          values.set(key, (values.get(key) ?? 0) + amount);
        },
      };
    },
    gauge(name, help) {
      const values = numbers(name, "gauge", help);
      return {
        set: (value, labels = {}) => void values.set(formatLabels(labels), value),
        clear: () => values.clear(),
      };
    },
    histogram(name, help) {
      const histogram = createHistogram(name);
      register(name, "histogram", help, histogram.format);
      return histogram;
    },
    format: () => `${metrics.flatMap((format) => format()).join("\n")}\n`,
  };
}

/** Creates a histogram without observations. */
function createHistogram(name: string) {
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

/** Formats labels as the text format of Prometheus has them: `{path="/token",status="200"}`. */
function formatLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function escapeValue(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
