import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { hasErrorCode, messageOf } from "../../../server/util/text/error_message.ts";
import { reasonOf } from "../../terminal/explain_error.ts";
import { UsageError } from "../../terminal/usage_error.ts";
import { readGoReport } from "./go_report.ts";
import { readJunitReport } from "./junit_report.ts";
import { readTapReport } from "./tap_report.ts";
import { addReports, type TestReport } from "./test_report.ts";

/** The formats of test reports that we read. */
export type TestReportFormat = "junit" | "tap" | "go-json";

/** Where a suite writes its report. */
export interface TestReportPlace {
  format: TestReportFormat;
  /** A file, or a folder with a file for each part of the suite. */
  path: string;
}

const megabyte = 1024 * 1024;

/** What the report of one run may contain; more is no report of tests. */
const maxBytes = 64 * megabyte;
const maxFiles = 5000;

/** File systems keep the time of a change only so exactly, in milliseconds. */
const clockPrecision = 2000;

const readers: Readonly<Record<TestReportFormat, (text: string) => TestReport>> = {
  "junit": readJunitReport,
  "tap": readTapReport,
  "go-json": readGoReport,
};

const endings: Readonly<Record<TestReportFormat, RegExp>> = {
  "junit": /\.xml$/i,
  "tap": /\.tap$/i,
  "go-json": /\.jsonl?$/i,
};

/** A file that may be a report, or a folder of them. */
interface ReportFile {
  path: string;
  isFolder: boolean;
  size: number;
  /** In milliseconds. */
  changedAt: number;
}

/**
 * Reads what a suite has reported since it began. Returns undefined if it wrote nothing: the file
 * of an earlier run must not pass for its report.
 */
export async function readTestReports(
  { format, path }: TestReportPlace,
  since: number,
): Promise<TestReport | undefined> {
  const files = await findFiles(path, endings[format], since - clockPrecision);
  if (files.length === 0) return undefined;
  checkSize(path, files);
  return addReports(await Promise.all(files.map((file) => readReport(file.path, format))));
}

/** Reads the report that a suite printed. */
export function readPrintedReport(format: TestReportFormat, output: string): TestReport {
  return readers[format](output);
}

async function readReport(path: string, format: TestReportFormat): Promise<TestReport> {
  try {
    return readers[format](await readFile(path, "utf8"));
  } catch (cause) {
    throw new UsageError(`Cannot read the test report ${path}: ${messageOf(cause)}`, { cause });
  }
}

async function findFiles(path: string, ending: RegExp, since: number): Promise<ReportFile[]> {
  const entry = await findEntry(path);
  if (!entry) return [];
  const paths = entry.isFolder ? (await namesIn(path, ending)).map((name) => join(path, name)) : [];
  const entries = entry.isFolder ? await Promise.all(paths.map(findEntry)) : [entry];
  return entries.filter((each) => each !== undefined)
    .filter(({ isFolder, changedAt }) => !isFolder && changedAt >= since);
}

async function namesIn(folder: string, ending: RegExp): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => ending.test(name)).sort();
}

async function findEntry(path: string): Promise<ReportFile | undefined> {
  try {
    const found = await stat(path);
    return { path, isFolder: found.isDirectory(), size: found.size, changedAt: found.mtimeMs };
  } catch (cause) {
    if (hasErrorCode(cause, "ENOENT")) return undefined;
    throw new UsageError(`Cannot read the test report ${path}: ${reasonOf(cause)}`, { cause });
  }
}

function checkSize(path: string, files: readonly ReportFile[]): void {
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (bytes <= maxBytes && files.length <= maxFiles) return;
  throw new UsageError(
    `Cannot read the test reports in ${path}: ${files.length} files with ${bytes} bytes are more ` +
      "than a suite writes. Name the file or the folder of the reports themselves.",
  );
}
