// What the frame of the application lacks: it is sandboxed, so its requests are messages.
const ask = (message) =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = ({ data }) => resolve(data);
    parent.postMessage(message, "*", [port2]);
  });

globalThis.openInLab = (url) => ask({ type: "open", url: String(url) });

globalThis.fetch = async (input, init) => {
  const sent = new Request(input, init);
  const { url, method } = sent;
  const body = ["GET", "HEAD"].includes(method) ? undefined : await sent.arrayBuffer();
  const request = { url, method, headers: [...sent.headers], body };
  const response = await ask({ type: "fetch", request });
  if (response === null) throw new TypeError("This application reaches only the lab.");
  return new Response(response.body ?? null, response);
};

addEventListener("unhandledrejection", ({ reason }) => showProblem(reason));
addEventListener("error", ({ message }) => showProblem(message));

function showProblem(problem) {
  document.getElementById("text").textContent = `Stopped: ${problem}`;
}
