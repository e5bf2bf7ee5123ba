/** oauth2-mock-server, which checks nothing: `node oauth2_mock_server.mjs PORT ALG`. */
import process from "node:process";
import { OAuth2Server } from "oauth2-mock-server";

const [port, alg] = process.argv.slice(2);
const server = new OAuth2Server();
await server.issuer.keys.generate(alg);
await server.start(Number(port), "127.0.0.1");
console.log(`bench ready http://localhost:${port}`);
