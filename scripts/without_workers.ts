import process from "node:process";

// esbuild would keep a worker at hand, which looks like a leak to a test. It reads this while it is being loaded.
process.env.ESBUILD_WORKER_THREADS = "0";
