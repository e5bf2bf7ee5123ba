/** The floor of a program: a server of Bun or Deno that has one answer. */
declare const Bun: { serve(options: object): { port: number } };

const respond = () => new Response("{}");
const onListen = ({ port }: { port: number }) =>
  console.log(`hallpass ready http://localhost:${port}`);

if (typeof Bun === "undefined") Deno.serve({ port: 0, onListen }, respond);
else onListen(Bun.serve({ port: 0, fetch: respond }));
