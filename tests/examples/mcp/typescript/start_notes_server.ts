/** Starts the server on Node. ../README.md says how to start `hallpass serve` beside it. */
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createServer } from "node:http";
import process from "node:process";
import { createNotesServer } from "./notes_server.ts";

const {
  NOTES_URL: url = "http://localhost:3001/mcp",
  NOTES_ISSUER: issuer = "http://localhost:9000",
} = process.env;

const fetch = createNotesServer({ url, issuer });
const { port } = new URL(url);
createServer(toNodeHandler({ fetch })).listen(Number(port), () => console.log(`ready ${url}`));
