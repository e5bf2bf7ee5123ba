// What the front pages of the lab have on top: a countdown, and a request that grows as one chooses.
// It comes after lab.js, and uses its clock and its way to replace parts.

// --- Countdowns: what ends soon, such as a code, by the clock of the lab. ---

function showCountdowns() {
  for (const element of document.querySelectorAll("[data-until]")) {
    const left = Math.max(0, Math.ceil((Number(element.dataset.until) - labTime()) / 1000));
    element.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    if (left === 0) refreshSoon();
  }
}

if (clock) setInterval(showCountdowns, 1000);

// --- A response in the fragment never reached the server: send it again, in the query. ---

if (/[#&](code|error|response)=/.test(location.hash) && location.search === "") {
  location.replace(`${location.pathname}?${location.hash.slice(1)}`);
}

// --- The flow builder: the request is shown again with each choice. ---

const builder = document.getElementById("flow-builder");

function showRequest() {
  const query = new URLSearchParams(new FormData(builder));
  history.replaceState(history.state, "", `?${query}`);
  refreshOrLoad(() => builder.submit());
}

document.addEventListener("input", ({ target }) => {
  if (builder && target.form === builder) showRequest();
});
