import process from "node:process";

// Without this, esbuild keeps a worker, which a test takes for a leak. It reads the variable when
// it is loaded.
process.env.ESBUILD_WORKER_THREADS = "0";
