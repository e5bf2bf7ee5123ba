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
export type MetricRegistry = ReturnType<typeof createMetricRegistry>;

/** A metric with what was measured: a value for each set of labels. */
export interface MeasuredMetric {
  name: string;
  help: string;
  type: "counter" | "gauge" | "histogram";
  samples: ReadonlyArray<Sample | Buckets>;
}

/** The value of one set of labels. */
export interface Sample {
  labels: Labels;
  value: number;
}

/** The media type of the text format. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** The upper bounds of the buckets of a histogram, in seconds. */
export const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The times of one set of labels. */
export interface Buckets {
  labels: Labels;
  /** How many times are below each bound, and how many are above all. */
  counts: number[];
  sum: number;
}

export function createMetricRegistry() {
  const metrics: Array<
    Omit<MeasuredMetric, "samples"> & { values: Map<string, Sample | Buckets> }
  > = [];

  function register<Value extends Sample | Buckets>(
    name: string,
    help: string,
    type: MeasuredMetric["type"],
  ): Map<string, Value> {
    const values = new Map<string, Value>();
    metrics.push({ name, help, type, values });
    return values;
  }

  function read(): MeasuredMetric[] {
    return metrics.map(({ values, ...metric }) => ({ ...metric, samples: [...values.values()] }));
  }

  return {
    counter(name: string, help: string): Counter {
      const values = register<Sample>(name, help, "counter");
      return {
        add(labels = {}, amount = 1) {
          const key = formatLabels(labels);
          const sample = values.get(key);
          if (sample) sample.value += amount;
          else values.set(key, { labels, value: amount });
        },
      };
    },
    gauge(name: string, help: string): Gauge {
      const values = register<Sample>(name, help, "gauge");
      return {
        set: (value, labels = {}) => void values.set(formatLabels(labels), { labels, value }),
        clear: () => values.clear(),
      };
    },
    histogram(name: string, help: string): { observe(seconds: number, labels?: Labels): void } {
      const histograms = register<Buckets>(name, help, "histogram");
      return {
        observe(seconds, labels = {}) {
          const key = formatLabels(labels);
          const buckets = histograms.get(key) ?? emptyBuckets(labels);
          histograms.set(key, buckets);
          const at = bounds.findIndex((bound) => seconds <= bound);
          const bucket = at < 0 ? bounds.length : at;
          buckets.counts[bucket] = (buckets.counts[bucket] ?? 0) + 1;
          buckets.sum += seconds;
        },
      };
    },
    read,
    /** Returns everything as text. */
    format: () => `${read().flatMap(formatMetric).join("\n")}\n`,
  };
}

function formatMetric({ name, help, type, samples }: MeasuredMetric): string[] {
  const lines = samples.flatMap((sample) =>
    "value" in sample
      ? `${name}${formatLabels(sample.labels)} ${sample.value}`
      : formatBuckets(name, sample)
  );
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines];
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
