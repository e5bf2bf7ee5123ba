// Continues once all frames have loaded. A frame that never loads must not keep the user here.
const goOn = () => location.replace(document.getElementById("continue").href);
addEventListener("load", goOn);
setTimeout(goOn, 5000);
