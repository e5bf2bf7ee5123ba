import { createHistogram, type Histogram } from "./histogram.ts";
import { formatLabels, type Labels } from "./labels.ts";

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
  histogram(name: string, help: string): Histogram;
  /** Returns everything as text. */
  format(): string;
}

/** The media type of the text format. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** The lines of one metric. */
type FormatSamples = () => string[];

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
