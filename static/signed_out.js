// Goes on once all frames have loaded. One that never does must not keep the person here.
const goOn = () => location.replace(document.getElementById("continue").href);
addEventListener("load", goOn);
setTimeout(goOn, 5000);
