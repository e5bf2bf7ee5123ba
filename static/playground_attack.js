// An attack, played by the lab: does the application notice it?
await fetch(`${lab}/lab/faults`, {
  method: "POST",
  headers: { "Content-Type": "application/json" },
  body: JSON.stringify({ name: "{fault}", times: 1 }),
});
