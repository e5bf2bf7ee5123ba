// Another process that locks a SQLite file for a moment. It prints when it has done so.
import process from "node:process";
import { DatabaseSync } from "node:sqlite";

const [path = ""] = process.argv.slice(-1);
const database = new DatabaseSync(path);
database.exec("BEGIN EXCLUSIVE");
console.log("locked");
setTimeout(() => database.close(), 300);
